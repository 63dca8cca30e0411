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
// is three roundings: of the corner itself and of the two ends of the edge that was cut.
#define NAV_FRAGMENT_TOLERANCE 1e-6
#define NAV_FRAGMENT_TOLERANCE_RATIO 2e-7
// Goes with NAV_PLAN_TOLERANCE of nav.h, which is wide enough near the origin. Three roundings: of
// the two positions and of the edge between them.
#define NAV_PLAN_TOLERANCE_RATIO 2e-7
// Whether a path runs along an edge is known to within the rounding of both.
#define NAV_ALONG_TOLERANCE 1e-6
#define NAV_ALONG_TOLERANCE_RATIO 1e-7
// A point that was moved onto a polygon's border lies no farther outside of the polygon's bounds;
// twice the rounding of each of the three products that it is made of. The part is one of |x| + |y|
// + |z|, since heights limit the search, too.
#define NAV_SNAP_TOLERANCE 2e-6f
#define NAV_SNAP_TOLERANCE_RATIO 4e-7f
// Farther than this from an edge's line a point is not on the edge, however both are rounded. Much
// wider than rounding, since a miss only costs a closer look.
#define NAV_OFF_BORDER 0.01f
#define NAV_OFF_BORDER_RATIO 1e-6f

// ---- points: other units ----

// Part of 1 + |x| + |z|. A path touches the portals of its corridor to within the rounding of its
// crossings, of which each rests on those before it.
#define NAV_TOUCH_RATIO 4e-6
// Part of the greater of |x| and |z|. A point of an edge or of a straight wall lies no farther
// beside its line: the rounding of the point and of the line's two ends.
#define NAV_LINE_TOLERANCE_RATIO 4e-7
// How many of a fragment's tolerances. Edges of one line lie no farther apart: between them ground
// was dropped that is too thin to be any, on either side.
#define NAV_ONE_LINE_TOLERANCES 4.0
// How many of a line's tolerances. A point that is nearer to another has no direction from it.
#define NAV_DIRECTION_TOLERANCES 64.0

// ---- lengths and areas: world units ----

// A portal between fragments that is shorter is none: rounded to floats its ends could be swapped.
#define NAV_FRAGMENT_PORTAL_MIN 1e-5
// A fragment that is smaller (units squared) is dropped: it has no reliable direction.
#define NAV_FRAGMENT_AREA_MIN 1e-9
// A path that comes as near to an outline as this meets it: between the two there would be hardly
// ground enough for a fragment.
#define NAV_OBSTACLE_NEAR 1e-3
// Two polygons of one floor differ by no more in height, where the agent climbs nothing.
#define NAV_SAME_FLOOR 1e-3f
// A value that changed by less between two versions did not change: answers are rounded to this.
#define NAV_DIFF_MIN 1e-3
// Cells of the grid that finds polygons are no smaller; a polygon thinner than the second value has
// no boxes within its bounds.
#define NAV_LOCATE_CELL_MIN 1e-3
#define NAV_LOCATE_EXTENT_MIN 1e-6f
// The unit of a table of landmarks. In a finer one lengths would not fit into floats.
#define NAV_LANDMARK_UNIT_MIN 1e-20f

// ---- lengths: part ----

// A part of a fragment's coordinates. One that is thinner is dropped: its corners would be rounded
// to one line.
#define NAV_FRAGMENT_WIDTH_RATIO 6e-8
// A part of 1 + a wall's length. A wall that is nearer has no direction from the point.
#define NAV_ON_WALL_RATIO 1e-6
// A part of an edge's length. A portal whose ends lie farther off the edge belongs to another one.
#define NAV_COLLINEAR_RATIO 1e-4
// A part of a triangle's longest edge. A bake warns of a triangle with a smaller height, a sliver:
// its normal, and so whether it can be walked on, hangs on the last digits of its corners.
#define NAV_SLIVER_HEIGHT_RATIO 1e-3
// A part of 1 + the distance of an outline's side from the origin. The outline's own corners lie no
// farther beyond the side: its rounding in doubles.
#define NAV_OUTLINE_SIDE_RATIO 1e-9
// The factor by which a circle grows, so that a point on it is in it after rounding.
#define NAV_CIRCLE_GROWTH 1.00001f

// ---- landmarks: units of their table ----

// The most by which two distances in the table, and sums of them, are wrong: the rounding of each
// to half a unit, and that of floats.
#define NAV_LANDMARK_ROUNDING_UNITS 1.25f

// ---- angles ----

// By how much less than half a turn counts as half a turn, beside what the corners' rounding makes
// out: sine of the angle. And the most that rounding may make out.
#define NAV_HALF_TURN_TOLERANCE 1e-6
#define NAV_TURN_TOLERANCE_MAX 1e-3
// Two sides of an outline that turn by less (sine) have no corner between them.
#define NAV_OUTLINE_TURN_MIN 1e-9
// Directions, as numbers from 0 to 4, that differ by less are those of one line: the rounding of
// coordinates over legs that are not shorter than a few hundred times it.
#define NAV_SAME_HEADING 1e-5f
// Added to a squared cosine before a division by it: the cosine is 0 along a border between costs.
#define NAV_COSINE2_MIN 1e-12f

// ---- costs and lengths of paths: part ----

// A path that costs no more than its bound and this part of it is proven to be the shortest.
#define NAV_PROOF_RATIO 1e-6
// By labels, a path that is cheaper by less is no gain. Labels to one goal sum floats. Labels to
// all sum doubles, but from root to root, and roots are floats: such differences are rounding.
#define NAV_DOMINATED_RATIO 1e-5
// By Polyanya, a path that is shorter by less is not searched for.
#define NAV_GAIN_MIN_RATIO 1e-8
// Lengths that differ by less are equal: sums of doubles differ by their rounding.
#define NAV_SAME_LENGTH_RATIO 1e-11
// The same of two paths along one line. A point on the line is rounded to a position beside it, so
// that the path over the point is longer than the one straight ahead.
#define NAV_SAME_LINE_RATIO 1e-9
// A length is rounded to a float, the key, which may be greater than the length. Lowered by this
// part it never is: a rounding for the key, one for the product that lowers it, and one to spare.
#define NAV_KEY_ROUNDING_RATIO 1.8e-7f
// A speed limit is broken where it is passed by more: clocks and positions of logs are rounded.
#define NAV_SPEED_TOLERANCE_RATIO 0.01
