// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// one_to_all.c: the one-to-all search: by Polyanya nodes here, by labels in labels/one_to_all.c.

#include "core/query/search/one_to_all.h"

#include "core/query/search/search.h"
#include "core/query/view/scratch.h"

#include <math.h>

// Nodes leave their slots to new ones, so memory does not end a search. Over polygons that lie all
// over each other, which no bake makes, nodes may go round for ever. Sound ground stays far below;
// beyond it labels take over, as they do without memory.
#define OPENED_BASE (UINT64_C(1) << 20)
#define OPENED_A_PORTAL 1024u

static bool begin_polyanya(nav_one_to_all *search, nav_scratch *scratch)
{
    NAV_ASSERT(nav_one_to_all_is_exact(search->view));
    search->opened_max = OPENED_BASE + (uint64_t)OPENED_A_PORTAL * nav_view_portals(search->view);
    return nav_polyanya_begin(&search->nodes, search->view, &scratch->polyanya,
                              NAV_POLYANYA_ALL_GOALS, &search->source, nav_view_arcs(search->view),
                              search->cancel);
}

// Whether the node at hand has come over an edge on which ground branches: not all that is behind
// is seen.
static bool is_over_branch(const nav_one_to_all *search)
{
    const uint32_t portal = search->nodes.hand.portal;
    return nav_view_has_non_manifold_edges(search->view) &&
           nav_polyanya_is_over_edge(&search->nodes, portal) &&
           nav_turning_is_non_manifold(nav_view_turning_vertices(search->view, portal));
}

static bool next_by_polyanya(nav_one_to_all *search)
{
    nav_polyanya *s = &search->nodes;
    s->goals = search->goals;
    const bool is_within = ++search->opened <= search->opened_max;
    const bool found = is_within && nav_polyanya_next(s);
    search->no_memory = !is_within || s->no_memory;
    if (found) {
        NAV_DCHECK(s->hand.key >= 0.0f);
        NAV_DCHECK(s->polygon < nav_view_polygons(search->view));
        s->has_gaps = s->has_gaps || is_over_branch(search);
        search->portal = s->hand.portal;
        search->polygon = s->polygon;
        search->cost = (double)s->hand.key * (double)search->view->costs->least;
    }
    return found;
}

bool nav_one_to_all_begin(nav_one_to_all *search, const nav_view *view, nav_scratch *scratch,
                          const nav_location *source, nav_one_to_all_engine engine)
{
    NAV_ASSERT(source->polygon < nav_view_polygons(view));
    NAV_ASSERT(nav_polygon_cost(view, source->polygon) < INFINITY);
    *search = (nav_one_to_all){.view = view,
                               .source = *source,
                               .engine = engine,
                               .cancel = &scratch->cancel,
                               .polygon = source->polygon,
                               .portal = NAV_NONE};
    return engine == NAV_BY_POLYANYA ? begin_polyanya(search, scratch)
                                     : nav_all_labels_begin(search, scratch);
}

bool nav_one_to_all_next(nav_one_to_all *search)
{
    if (!search->begun) {
        search->begun = true;
        return true;
    }
    return search->engine == NAV_BY_POLYANYA ? next_by_polyanya(search)
                                             : nav_all_labels_next(search);
}

double nav_one_to_all_cost_to(const nav_one_to_all *search, const float point[2])
{
    if (search->engine == NAV_BY_LABELS) {
        return nav_all_labels_cost_to(search, point);
    }
    const nav_polyanya_node *node = &search->nodes.hand;
    return (node->g + nav_polyanya_distance(&search->nodes, node, point)) *
           (double)search->view->costs->least;
}

void nav_one_to_all_point(const nav_one_to_all *search, float out[2])
{
    if (search->portal == NAV_NONE) {
        out[0] = search->source.position[0];
        out[1] = search->source.position[2];
    } else if (search->engine == NAV_BY_POLYANYA) {
        nav_polyanya_point(&search->nodes, &search->nodes.hand, out);
    } else {
        nav_all_labels_point(search, out);
    }
}

double nav_one_to_all_pull(const nav_one_to_all *search, nav_scratch *scratch, uint32_t portal,
                           const nav_location *location)
{
    nav_path path = {0};
    nav_all_labels_pull(search, scratch, portal, location, &path);
    if (!search->view->costs->uniform) {
        nav_steiner_settle(search->view, scratch, &search->source, location, &path);
    }
    return path.cost;
}
