// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// query_view.c: how every question begins: what its filter makes of the mesh, and where its points
// lie.

#include "query.h"

bool nav_view_begin(const nav_mesh *mesh, nav_scratch *scratch, const nav_options *options,
                    nav_view *view)
{
    if (!nav_scratch_begin(scratch, mesh)) {
        return false;
    }
    nav_costs_resolve(mesh, options->filter, &scratch->costs);
    *view = (nav_view){.mesh = mesh, .costs = &scratch->costs};
    return true;
}

bool nav_view_snap(const nav_view *view, const nav_options *options, const float point[3],
                   nav_location *out)
{
    const nav_reach open = {.component = NAV_NONE, .costs = view->costs};
    return nav_query_snap(view->mesh, point, options->snap, open, out, 1) > 0;
}
