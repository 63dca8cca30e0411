// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// expansions.c: see expansions.h.

#include "core/query/search/expansions.h"

#include "core/base/plane.h"
#include "core/query/view/view.h"

#include <string.h>

float nav_expansions_height(const nav_view *view, uint32_t portal, float x, float z)
{
    float left[3], right[3];
    if (nav_portal_is_arc(view, portal)) {
        return nav_portal_arc(view, portal)->end[1];
    }
    const nav_portal *p = nav_view_portal(view, portal);
    nav_view_vertex(view, p->left_vertex, left);
    nav_view_vertex(view, p->right_vertex, right);
    const float dx = p->right[0] - p->left[0], dz = p->right[1] - p->left[1];
    const float width2 = dx * dx + dz * dz;
    const float along = (x - p->left[0]) * dx + (z - p->left[1]) * dz;
    const float t = width2 > 0.0f ? nav_plane_clamp_f(along / width2, 0.0f, 1.0f) : 0.0f;
    return left[1] + (right[1] - left[1]) * t;
}

static void place(const nav_view *view, uint32_t portal, const float at[2], float out[3])
{
    out[0] = at[0];
    out[1] = nav_expansions_height(view, portal, at[0], at[1]);
    out[2] = at[1];
}

void nav_expansions_add(nav_expansions *list, const nav_view *view, const nav_expanded *node)
{
    NAV_ASSERT(list->count <= list->capacity);
    if (list->count == list->capacity) {
        list->truncated = true;
        return;
    }
    nav_expansion *out = &list->at[list->count++];
    *out = (nav_expansion){.engine = node->engine,
                           .polygon = nav_view_base(view, nav_view_to(view, node->portal)),
                           .g = node->g,
                           .f = node->f};
    memcpy(out->root, node->root, sizeof out->root);
    place(view, node->portal, node->left, out->left);
    place(view, node->portal, node->right, out->right);
}
