// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// find.c: the fragments of a polygon, and the one that a position lies in. A hash table leads from
// polygons of the mesh to their first fragments; fragments of one polygon stand in order of where
// they begin along x.

#include "core/base/plane.h"
#include "core/query/view/view.h"

uint32_t *nav_overlay_table_slot(const nav_overlay *o, uint32_t polygon)
{
    uint32_t slot = nav_overlay_slot(polygon, o->table_mask);
    while (o->table[slot] != NAV_NONE && o->fragments[o->table[slot]].base != polygon) {
        slot = (slot + 1) & o->table_mask;
    }
    return &o->table[slot];
}

const nav_fragment *nav_overlay_find(const nav_overlay *overlay, uint32_t polygon)
{
    NAV_DCHECK(polygon < overlay->mesh->stats.polygons);
    if (overlay->count.fragments == 0) {
        return NULL;
    }
    const uint32_t first = *nav_overlay_table_slot(overlay, polygon);
    return first != NAV_NONE &&
                   (overlay->is_seen == NULL || overlay->is_seen[overlay->fragments[first].group])
               ? &overlay->fragments[first]
               : NULL;
}

// Fragments stand in order of min[0], and `far` never falls, so that both ends of the range can be
// found by halving.
nav_fragment_range nav_overlay_range(const nav_overlay *overlay, uint32_t first, double min_x,
                                     double max_x)
{
    const nav_fragment *fragments = overlay->fragments;
    NAV_DCHECK(first < overlay->count.fragments);
    nav_fragment_range range = {.first = first, .end = first + fragments[first].sibling_count};
    for (uint32_t end = range.end; range.first < end;) {
        const uint32_t middle = range.first + (end - range.first) / 2;
        if ((double)fragments[middle].far < min_x) {
            range.first = middle + 1;
        } else {
            end = middle;
        }
    }
    for (uint32_t from = range.first; from < range.end;) {
        const uint32_t middle = from + (range.end - from) / 2;
        if ((double)fragments[middle].min[0] > max_x) {
            range.end = middle;
        } else {
            from = middle + 1;
        }
    }
    NAV_DCHECK(range.first <= range.end);
    NAV_DCHECK(range.end <= overlay->count.fragments);
    return range;
}

static bool is_in_fragment(const nav_overlay *overlay, const nav_fragment *fragment,
                           const double at[2])
{
    const nav_view view = {.mesh = overlay->mesh, .overlay = overlay};
    const uint32_t *corners = overlay->corners + fragment->corner_first;
    const double near = nav_overlay_tolerance(at[0], at[1]);
    bool inside = fragment->corner_count > 0;
    // A fragment without area has no sides: its ends are those of its bounds.
    for (int axis = 0; axis < 2; ++axis) {
        inside = inside && at[axis] >= (double)fragment->min[axis] - near &&
                 at[axis] <= (double)fragment->max[axis] + near;
    }
    for (uint32_t i = 0; i < fragment->corner_count && inside; ++i) {
        const float *a = nav_view_vertex_xz(&view, corners[i]);
        const float *b = nav_view_vertex_xz(&view, corners[(i + 1) % fragment->corner_count]);
        const double ex = (double)b[0] - (double)a[0], ez = (double)b[2] - (double)a[2];
        inside = nav_plane_cross(ex, ez, at[0] - (double)a[0], at[1] - (double)a[2]) <=
                 nav_plane_length(ex, ez) * near;
    }
    return inside;
}

const nav_fragment *nav_overlay_fragment_at(const nav_overlay *overlay, uint32_t polygon, float x,
                                            float z)
{
    const nav_fragment *fragment = nav_overlay_find(overlay, polygon);
    if (fragment == NULL || !fragment->cut) {
        return fragment;
    }
    const double at[2] = {(double)x, (double)z};
    const double near = 2.0 * nav_overlay_tolerance(at[0], at[1]);
    const nav_fragment_range range = nav_overlay_range(
        overlay, (uint32_t)(fragment - overlay->fragments), at[0] - near, at[0] + near);
    for (uint32_t i = range.first; i < range.end; ++i) {
        if (is_in_fragment(overlay, &overlay->fragments[i], at)) {
            return &overlay->fragments[i];
        }
    }
    return NULL;
}
