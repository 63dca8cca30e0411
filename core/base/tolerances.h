// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tolerances.h: how near is near enough: every tolerance of core in one table, each with its unit
// and its reason. Private to core/.
//
// A float has 24 bits: rounding moves a number by up to 6e-8 of its size, so that a tolerance for
// points grows with their distance from the origin. Such tolerances come in pairs: world units, and
// a part (..._PART) of |x| + |z|. A unit of "part" is a share of the number that it is held
// against.
//
// Answers are compared byte by byte. To change a value is to change answers, and for those that are
// marked as a bake's, tiles.

#pragma once

// ---- points: world units, and part of |x| + |z| ----

// A fragment's corner, rounded to floats, lies no farther than this from where it was cut. The part
// also goes with NAV_PLAN_TOLERANCE of nav.h, which is wide enough near the origin.
#define NAV_FRAGMENT_TOLERANCE 1e-6
#define NAV_PLAN_TOLERANCE_PART 2e-7
// Whether a path runs along an edge is known to within the rounding of both.
#define NAV_ALONG_TOLERANCE 1e-6
#define NAV_ALONG_TOLERANCE_PART 1e-7
// A point that was moved onto a polygon's border lies no farther outside of the polygon's bounds;
// twice the rounding of each of the three products that it is made of.
#define NAV_SNAP_TOLERANCE 2e-6f
#define NAV_SNAP_TOLERANCE_PART 4e-7f
// Farther than this from an edge's line a point is not on the edge, however both are rounded. Much
// wider than rounding, since a miss only costs a closer look.
#define NAV_OFF_BORDER 0.01f
#define NAV_OFF_BORDER_PART 1e-6f
// A path touches the portals of its corridor to within the rounding of its crossings, of which each
// rests on those before it. The part counts from 1 on.
#define NAV_TOUCH_PART 4e-6
// A point of an edge or of a straight wall lies beside its line by no more than this part of the
// greater of |x| and |z|: the rounding of the point and of the line's two ends.
#define NAV_LINE_TOLERANCE_PART 4e-7
// A point that is nearer to another than so many of these tolerances has no direction from it.
#define NAV_DIRECTION_TOLERANCES 64.0

// ---- lengths and areas: world units ----

// A portal between fragments that is shorter is none: rounded to floats its ends could change
// places.
#define NAV_FRAGMENT_PORTAL_MIN 1e-5
// A fragment that is smaller (units squared) is dropped: it has no direction that could be told.
#define NAV_FRAGMENT_AREA_MIN 1e-9
// One that is thinner than this part of its coordinates is dropped, too: its corners would be
// rounded to one line.
#define NAV_FRAGMENT_WIDTH_PART 6e-8
// A path that comes as near to an outline as this meets it: between the two there would be hardly
// ground enough for a fragment.
#define NAV_OBSTACLE_NEAR 1e-3
// Two polygons of one floor differ by no more in height, where the agent climbs nothing.
#define NAV_SAME_FLOOR 1e-3f
// A wall that is nearer than this part of 1 + its length has no direction from it.
#define NAV_ON_WALL_PART 1e-6
// A value that changed by less between two versions did not change: answers are rounded to this.
#define NAV_DIFF_MIN 1e-3
// Cells of the grid that finds polygons are no smaller; a polygon thinner than the second value has
// no boxes within its bounds.
#define NAV_LOCATE_CELL_MIN 1e-3
#define NAV_LOCATE_EXTENT_MIN 1e-6f
// The unit of a table of landmarks. In a finer one lengths would not fit into floats.
#define NAV_LANDMARK_UNIT_MIN 1e-20f
// By how much two distances in such a table, and sums of them, are wrong at most: the rounding of
// each to half a unit, and that of floats. In units of the table.
#define NAV_LANDMARK_ROUNDING_UNITS 1.25f
// A triangle whose height is a smaller part of its longest edge is a sliver, of which a bake warns:
// its normal, and so whether it can be walked on, hangs on the last digits of its corners.
#define NAV_SLIVER_HEIGHT_PART 1e-3
// By which factor a circle grows, so that what lies on it is in it after rounding.
#define NAV_CIRCLE_GROWTH 1.00001f

// ---- angles ----

// By how much less than half a turn counts as half a turn, beside what the corners' rounding makes
// out: sine of the angle. And the most that rounding may make out.
#define NAV_HALF_TURN_TOLERANCE 1e-6
#define NAV_TURN_TOLERANCE_MAX 1e-3
// Two sides of an outline that turn by less (sine) have no corner between them.
#define NAV_OUTLINE_TURN_MIN 1e-9
// An outline's own corners lie beyond one of its sides by no more than this part of 1 + the side's
// distance from the origin: its rounding in doubles.
#define NAV_OUTLINE_SIDE_PART 1e-9
// A portal whose ends lie farther off an edge, as part of the edge's length, belongs to another
// one.
#define NAV_COLLINEAR_PART 1e-4
// Directions, as numbers from 0 to 4, that differ by less are those of one line: the rounding of
// coordinates over legs that are not shorter than a few hundred times it.
#define NAV_SAME_HEADING 1e-5f
// The square of the cosine at which a way leaves a border between costs is greater by this, since
// it is divided by, and is 0 along the border.
#define NAV_COSINE2_MIN 1e-12f

// ---- costs and lengths of paths: part ----

// A path that costs no more than its bound and this part of it is proven to be the shortest.
#define NAV_PROOF_PART 1e-6
// By labels, a way that is cheaper by less is none: their lengths are sums of floats.
#define NAV_DOMINATED_PART 1e-5
// By Polyanya, a path that is shorter by less is not looked for.
#define NAV_GAIN_MIN_PART 1e-8
// Lengths that differ by less are equal: sums of doubles differ by their rounding.
#define NAV_SAME_LENGTH_PART 1e-11
// The same of ways along one line. A point that lies beside the line by its rounding is no part of
// it to the last bit: past it the way is longer than straight ahead.
#define NAV_SAME_LINE_PART 1e-9
// A float that a length is rounded to is greater than the length by no more; and a little, since
// the product that takes it off is rounded, too.
#define NAV_KEY_ROUNDING_PART 1.8e-7f
// A speed limit is broken where it is passed by more: clocks and positions of logs are rounded.
#define NAV_SPEED_TOLERANCE_PART 0.01
