// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// matrix.c: costs from some positions to others: one search a source (search/one_to_all.h).
//
//   open --an entrance into its polygon--> reached --nothing nearer is left--> decided
//
// A target is reached at the cost of the best entrance so far. Once the search itself has come
// farther than that, nothing can improve it. Targets that the labels of components rule out are
// never looked for, and the search ends with the last one that is. Sources in shapes that block
// leave these (question/ends.c) and come last, in a view in which these shapes are open, but dear;
// the next one shares it where it is in the same shapes.

#include "core/query/question/question.h"
#include "core/query/search/one_to_all.h"
#include "core/query/view/scratch.h"

#include <math.h>
#include <string.h>

typedef enum target_state {
    TARGET_CLOSED, // off the mesh, or in a shape that blocks
    TARGET_OUT_OF_REACH,
    TARGET_OPEN,
    TARGET_REACHED,
    TARGET_DECIDED,
} target_state;

typedef struct target {
    nav_location location;
    double cost;     // by the best entrance so far
    uint32_t portal; // that entrance
    uint32_t next;   // target in the same polygon, or NAV_NONE
    target_state state;
} target;

// A source in shapes that block. It is answered behind the others.
typedef struct leaving {
    nav_location at;
    uint32_t source;
    bool joins; // it is in the same shapes as the one before, and shares its view
} leaving;

typedef struct matrix {
    nav_view *view;
    nav_scratch *scratch;
    const nav_matrix_request *request;
    nav_options options; // the request's; all of the views share one budget for shapes
    nav_matrix *out;
    target *targets; // by target
    nav_heap_item *row;
    uint32_t *goals; // nav_mesh.preorder of the polygons of those that are looked for, rising
    uint32_t goal_count;
    uint32_t *reached; // those in state REACHED, in any order
    uint32_t reached_count;
    double reached_least; // the least of their costs
    uint32_t *decided;    // in order of cost, nearly
    uint32_t decided_count;
    uint32_t wanted; // so many are to be decided
    leaving *leaving;
    uint32_t leaving_count;
    bool has_gaps; // nav_one_to_all_has_gaps, of the last search
    uint32_t expanded;
} matrix;

// ---- targets ----

static bool make_lists(matrix *m)
{
    const size_t count = m->request->target_count;
    uint8_t *list = nav_scratch_list(
        m->scratch, count * (sizeof *m->targets + sizeof *m->row + 3 * sizeof *m->reached) +
                        m->request->source_count * sizeof *m->leaving);
    if (list == NULL) {
        return false;
    }
    m->targets = (void *)list;
    m->row = (void *)(m->targets + count);
    m->leaving = (void *)(m->row + count);
    m->reached = (void *)(m->leaving + m->request->source_count);
    m->decided = m->reached + count;
    m->goals = m->decided + count;
    return true;
}

// Finds the targets in the view at hand. is_on_mesh: NULL, or room for what the question's own view
// says of them.
static void snap_targets(matrix *m, bool *is_on_mesh)
{
    for (uint32_t i = 0; i < m->request->target_count; ++i) {
        target *t = &m->targets[i];
        bool in_shape;
        const bool found = nav_view_snap_end(m->view, &m->options, m->request->targets[i],
                                             &t->location, &in_shape);
        t->state = found && !in_shape ? TARGET_OPEN : TARGET_CLOSED;
        if (is_on_mesh != NULL) {
            is_on_mesh[i] = found;
        }
    }
}

// Chooses the targets that the search from a source looks for: those in reach by the labels of
// components.
static void open_targets(matrix *m, const nav_location *source)
{
    const nav_reach reach =
        nav_reach_from(m->view, m->scratch, nav_view_component(m->view, source->polygon));
    m->wanted = 0;
    for (uint32_t i = 0; i < m->request->target_count; ++i) {
        target *t = &m->targets[i];
        if (t->state != TARGET_CLOSED) {
            const bool in_reach =
                nav_is_within_reach(&reach, nav_view_component(m->view, t->location.polygon));
            t->state = in_reach ? TARGET_OPEN : TARGET_OUT_OF_REACH;
            m->wanted += in_reach;
        }
    }
    // Over non-manifold edges Polyanya may pass a target by; labels find it then.
    const uint32_t columns = nav_matrix_columns(m->request);
    m->wanted =
        m->wanted < columns || nav_view_has_non_manifold_edges(m->view) ? m->wanted : columns;
    NAV_ASSERT(m->wanted <= m->request->target_count);
    m->decided_count = 0;
}

// Puts the targets that are not decided yet where the search finds them: by polygon, in a list.
static void place_targets(matrix *m)
{
    nav_scratch *scratch = m->scratch;
    nav_heap heap = {.items = m->row};
    m->reached_count = 0;
    m->reached_least = (double)INFINITY;
    for (uint32_t i = m->request->target_count; i-- > 0;) {
        target *t = &m->targets[i];
        if (t->state != TARGET_OPEN && t->state != TARGET_REACHED) {
            continue;
        }
        const uint32_t polygon = t->location.polygon;
        NAV_DCHECK(polygon < scratch->flood.capacity);
        const bool is_first = scratch->flood.marks[polygon] != scratch->stamp;
        t->state = TARGET_OPEN;
        t->cost = (double)INFINITY;
        t->next = is_first ? NAV_NONE : scratch->flood.queue[polygon];
        scratch->flood.marks[polygon] = scratch->stamp;
        scratch->flood.queue[polygon] = i;
        m->row[heap.count++] =
            (nav_heap_item){.key = m->view->mesh->preorder[nav_view_base(m->view, polygon)][0]};
    }
    nav_heap_build(&heap);
    for (m->goal_count = 0; heap.count > 0;) {
        const uint32_t preorder = (uint32_t)nav_heap_pop(&heap).key;
        NAV_ASSERT(m->goal_count == 0 || m->goals[m->goal_count - 1] <= preorder);
        m->goals[m->goal_count++] = preorder;
    }
}

// ---- one search ----

static void reach_target(matrix *m, const nav_one_to_all *all, uint32_t index)
{
    target *t = &m->targets[index];
    NAV_DCHECK(index < m->request->target_count);
    NAV_DCHECK(t->location.polygon == all->polygon);
    const float point[2] = {t->location.position[0], t->location.position[2]};
    if (t->state != TARGET_OPEN && t->state != TARGET_REACHED) {
        return;
    }
    const double cost = nav_one_to_all_cost_to(all, point);
    NAV_DCHECK(cost >= 0.0);
    if (cost >= t->cost) {
        return;
    }
    t->cost = cost;
    t->portal = all->portal;
    m->reached_least = fmin(m->reached_least, cost);
    if (t->state == TARGET_OPEN) {
        t->state = TARGET_REACHED;
        m->reached[m->reached_count++] = index;
    }
}

// Decides the targets that a search at this cost cannot improve.
static void decide(matrix *m, double cost)
{
    if (m->reached_least >= cost) {
        return;
    }
    uint32_t kept = 0;
    m->reached_least = (double)INFINITY;
    for (uint32_t i = 0; i < m->reached_count; ++i) {
        target *t = &m->targets[m->reached[i]];
        NAV_DCHECK(t->state == TARGET_REACHED);
        if (t->cost < cost) {
            t->state = TARGET_DECIDED;
            m->decided[m->decided_count++] = m->reached[i];
        } else {
            m->reached_least = fmin(m->reached_least, t->cost);
            m->reached[kept++] = m->reached[i];
        }
    }
    NAV_ASSERT(m->decided_count <= m->request->target_count);
    m->reached_count = kept;
}

// Whether a limit of the request ends the search.
static bool is_over(matrix *m, nav_one_to_all *all, uint32_t expanded)
{
    const nav_matrix_request *request = m->request;
    if (request->max_nodes > 0 && expanded >= request->max_nodes) {
        m->out->reason = NAV_REASON_NODE_BUDGET;
        return true;
    }
    if (nav_cancel_poll(all->cancel, NAV_STEP_NODE)) {
        m->out->reason = NAV_REASON_DEADLINE;
        return true;
    }
    return false;
}

typedef enum search_end {
    SEARCH_RAN_OUT, // nothing is left to reach
    SEARCH_FOUND,   // all that was wanted is decided
    SEARCH_LIMIT,   // of the request
    SEARCH_NO_MEMORY,
} search_end;

static search_end run_search(matrix *m, nav_one_to_all *all)
{
    nav_scratch *scratch = m->scratch;
    const uint32_t before = m->expanded;
    while (nav_one_to_all_next(all)) {
        decide(m, all->cost);
        if (m->decided_count >= m->wanted) {
            return SEARCH_FOUND;
        }
        if (is_over(m, all, m->expanded - before)) {
            return SEARCH_LIMIT;
        }
        ++m->expanded;
        if (scratch->flood.marks[all->polygon] == scratch->stamp) {
            for (uint32_t i = scratch->flood.queue[all->polygon]; i != NAV_NONE;
                 i = m->targets[i].next) {
                reach_target(m, all, i);
            }
        }
    }
    if (all->no_memory) {
        return SEARCH_NO_MEMORY;
    }
    decide(m, (double)INFINITY);
    return SEARCH_RAN_OUT;
}

// Labels lead to a polygon; what the way costs is known when the string is pulled.
static void pull_strings(matrix *m, const nav_one_to_all *all, uint32_t first)
{
    NAV_ASSERT(first <= m->decided_count);
    for (uint32_t i = first; i < m->decided_count; ++i) {
        target *t = &m->targets[m->decided[i]];
        NAV_ASSERT(t->state == TARGET_DECIDED);
        t->cost = nav_one_to_all_pull(all, m->scratch, t->portal, &t->location);
        NAV_ASSERT(t->cost >= 0.0);
        NAV_ASSERT(t->cost < (double)INFINITY);
    }
}

static bool search_by(matrix *m, const nav_location *source, nav_one_to_all_engine engine,
                      search_end *end)
{
    nav_one_to_all all;
    const uint32_t first = m->decided_count;
    place_targets(m);
    if (!nav_one_to_all_begin(&all, m->view, m->scratch, source, engine)) {
        return false;
    }
    // Over an arc that costs less than its length, going out over a bridge and back in may pay.
    if (m->view->costs->bound >= m->view->costs->least) {
        all.goals = nav_goals_of(m->goals, m->goal_count, m->view->links);
    }
    *end = run_search(m, &all);
    m->has_gaps = nav_one_to_all_has_gaps(&all);
    m->out->optimal = m->out->optimal && !m->has_gaps;
    if (engine == NAV_BY_LABELS) {
        pull_strings(m, &all, first);
    }
    return true;
}

// Whether a target that nodes did not come to can be reached, though. Takes another stamp. False
// when there is no memory.
static bool find_passed_by(matrix *m, const nav_location *source, bool *passed_by)
{
    nav_reach reach;
    if (!nav_scratch_begin(m->scratch, m->view) ||
        !nav_reach_flood(m->view, m->scratch, source->polygon, &reach)) {
        m->out->reason = NAV_REASON_DEADLINE;
        return m->scratch->cancel.cancelled;
    }
    for (uint32_t i = 0; i < m->request->target_count && !*passed_by; ++i) {
        const target *t = &m->targets[i];
        *passed_by = t->state == TARGET_OPEN &&
                     nav_is_polygon_within_reach(&reach, m->view, t->location.polygon);
    }
    return true;
}

// Polyanya may need more memory than there is, does not know all ways over non-manifold edges, and
// does not get around all positions where very many polygons meet, nor through all ground that
// shapes have left by the width of a rounding: labels then look for what is left.
static bool search(matrix *m, const nav_location *source)
{
    const bool exact = nav_one_to_all_is_exact(m->view);
    search_end end = SEARCH_NO_MEMORY;
    if (exact && !search_by(m, source, NAV_BY_POLYANYA, &end)) {
        return false;
    }
    const bool is_left = exact && end == SEARCH_RAN_OUT && m->decided_count < m->wanted;
    bool passed_by = is_left && (nav_view_has_non_manifold_edges(m->view) || m->has_gaps);
    if (is_left && !passed_by && m->view->overlay != NULL &&
        !find_passed_by(m, source, &passed_by)) {
        return false;
    }
    if (end == SEARCH_NO_MEMORY || passed_by) {
        m->out->optimal = false;
        if (!nav_scratch_begin(m->scratch, m->view) || !search_by(m, source, NAV_BY_LABELS, &end)) {
            return false;
        }
    }
    return end != SEARCH_NO_MEMORY;
}

// ---- rows ----

static void write_row(const matrix *m, double *costs, bool is_over)
{
    for (uint32_t i = 0; i < m->request->target_count; ++i) {
        const target *t = &m->targets[i];
        const bool is_known = t->state == TARGET_CLOSED || t->state == TARGET_OUT_OF_REACH;
        costs[i] = t->state == TARGET_DECIDED ? t->cost
                   : is_over && !is_known     ? (double)NAN
                                              : (double)INFINITY;
    }
}

static void write_nearest(const matrix *m, double *costs, uint32_t *targets)
{
    const uint32_t columns = nav_matrix_columns(m->request);
    nav_heap heap = {.items = m->row, .count = m->decided_count};
    for (uint32_t i = 0; i < m->decided_count; ++i) {
        m->row[i].id = m->decided[i];
        m->row[i].stamp = 0;
        // The order of numbers from 0 on is that of their bits.
        memcpy(&m->row[i].key, &m->targets[m->decided[i]].cost, sizeof m->row[i].key);
    }
    nav_heap_build(&heap);
    for (uint32_t i = 0; i < columns; ++i) {
        const uint32_t index = heap.count > 0 ? nav_heap_pop(&heap).id : NAV_NONE;
        targets[i] = index;
        costs[i] = index != NAV_NONE ? m->targets[index].cost : (double)INFINITY;
        NAV_DCHECK(i == 0 || costs[i - 1] <= costs[i]);
    }
}

// Answers the row of a source; NULL: no way begins there.
static bool answer_row(matrix *m, uint32_t index, const nav_location *source)
{
    const nav_matrix_request *request = m->request;
    const size_t at = (size_t)index * nav_matrix_columns(request);
    m->wanted = m->decided_count = 0;
    if (source != NULL) {
        open_targets(m, source);
    }
    // An exceeded deadline holds for all sources that follow.
    const bool exceeded = m->scratch->cancel.cancelled;
    const nav_path_reason before = m->out->reason;
    m->out->reason = NAV_REASON_NULL;
    if (m->wanted > 0 && !exceeded && !search(m, source)) {
        return false;
    }
    const bool is_over = (exceeded && m->wanted > 0) || m->out->reason != NAV_REASON_NULL;
    // The first of two limits that was met is reported.
    m->out->reason = before != NAV_REASON_NULL ? before : m->out->reason;
    if (request->nearest > 0) {
        write_nearest(m, m->out->costs + at, m->out->targets + at);
    } else if (source != NULL) {
        write_row(m, m->out->costs + at, is_over);
    } else {
        for (uint32_t i = 0; i < request->target_count; ++i) {
            m->out->costs[at + i] = (double)INFINITY;
        }
    }
    return true;
}

// Answers the row of a source, unless that lies in shapes.
static bool answer_source(matrix *m, uint32_t index)
{
    leaving source = {.source = index};
    bool in_shape;
    // A stamp of its own: what was marked for another source does not count.
    if (!nav_scratch_begin(m->scratch, m->view)) {
        return false;
    }
    const bool found =
        nav_view_snap_end(m->view, &m->options, m->request->sources[index], &source.at, &in_shape);
    if (m->out->sources_found != NULL) {
        m->out->sources_found[index] = found;
    }
    if (!in_shape) {
        return answer_row(m, index, found ? &source.at : NULL);
    }
    source.joins =
        m->leaving_count > 0 && nav_overlay_blocks_alike(m->view->overlay, &source.at,
                                                         &m->leaving[m->leaving_count - 1].at);
    m->leaving[m->leaving_count++] = source;
    return true;
}

static void leave_row_undecided(const nav_matrix_request *request, uint32_t index, nav_matrix *out)
{
    const uint32_t columns = nav_matrix_columns(request);
    const size_t at = (size_t)index * columns;
    for (size_t i = at; i < at + columns; ++i) {
        out->costs[i] = request->nearest > 0 ? (double)INFINITY : (double)NAN;
        if (request->nearest > 0) {
            out->targets[i] = NAV_NONE;
        }
    }
}

// ---- sources in shapes ----

// Makes the view of a source in shapes, in which these are open, and finds the targets in it.
// *refused: the shapes are too much to cut once more, or the deadline is exceeded. False: no
// memory.
static bool leave(matrix *m, const leaving *source, bool *refused)
{
    nav_scratch *scratch = m->scratch;
    *refused = scratch->cancel.cancelled ||
               !nav_view_begin_leaving(m->view->mesh, scratch, &m->options, &source->at, m->view);
    if (*refused) {
        return scratch->cancel.cancelled || nav_scratch_avoid_refused(scratch);
    }
    if (!nav_scratch_begin_polygons(scratch, nav_view_polygons(m->view))) {
        return false;
    }
    snap_targets(m, NULL);
    return true;
}

// Answers the row of a source in shapes in the view at hand.
static bool answer_leaving(matrix *m, const leaving *source)
{
    nav_location at;
    bool in_shape;
    if (!nav_scratch_begin(m->scratch, m->view)) {
        return false;
    }
    // On a slope a shape may be judged elsewhere: then there is no way out.
    const bool leads_out = nav_view_snap_end(m->view, &m->options,
                                             m->request->sources[source->source], &at, &in_shape) &&
                           !in_shape;
    return answer_row(m, source->source, leads_out ? &at : NULL);
}

// Answers the sources in shapes. Shapes that are too much to cut leave their rows undecided.
static bool answer_all_leaving(matrix *m)
{
    bool refused = false;
    for (uint32_t i = 0; i < m->leaving_count; ++i) {
        const leaving *source = &m->leaving[i];
        // Behind the first that is refused there is no work left to cut with.
        if (!refused && !source->joins && !leave(m, source, &refused)) {
            return false;
        }
        if (!refused && !answer_leaving(m, source)) {
            return false;
        }
        if (refused) {
            leave_row_undecided(m->request, source->source, m->out);
        }
    }
    if (refused) {
        m->scratch->avoid_refused = false; // the question is answered
        const nav_path_reason why =
            m->scratch->cancel.cancelled ? NAV_REASON_DEADLINE : NAV_REASON_NODE_BUDGET;
        m->out->reason = m->out->reason != NAV_REASON_NULL ? m->out->reason : why;
    }
    return true;
}

// An answer to a question whose deadline was exceeded before its first search. It is not known
// which points are off the mesh.
static nav_status leave_undecided(const nav_matrix_request *request, nav_matrix *out)
{
    for (uint32_t i = 0; i < request->source_count; ++i) {
        leave_row_undecided(request, i, out);
    }
    for (uint32_t i = 0; out->sources_found != NULL && i < request->source_count; ++i) {
        out->sources_found[i] = true;
    }
    for (uint32_t i = 0; out->targets_found != NULL && i < request->target_count; ++i) {
        out->targets_found[i] = true;
    }
    out->reason = NAV_REASON_DEADLINE;
    out->optimal = false;
    out->nodes_expanded = 0;
    return NAV_OK;
}

nav_status nav_query_matrix(const nav_mesh *mesh, nav_scratch *scratch,
                            const nav_matrix_request *request, nav_matrix *out)
{
    nav_view view;
    uint64_t work = NAV_AVOID_WORK_MAX;
    if ((uint64_t)request->source_count * request->target_count > NAV_MATRIX_CELLS_MAX) {
        return NAV_INVALID_FIELD;
    }
    matrix m = {.view = &view,
                .scratch = scratch,
                .request = request,
                .options = request->options,
                .out = out};
    m.options.avoid_work = m.options.avoid_work != NULL ? m.options.avoid_work : &work;
    if (!nav_view_begin(mesh, scratch, &m.options, &view)) {
        return scratch->cancel.cancelled ? leave_undecided(request, out) : NAV_NO_MEMORY;
    }
    if (!nav_scratch_begin_polygons(scratch, nav_view_polygons(&view)) || !make_lists(&m)) {
        return NAV_NO_MEMORY;
    }
    out->reason = NAV_REASON_NULL;
    out->optimal = nav_one_to_all_is_exact(&view) && !nav_view_has_non_manifold_edges(&view);
    snap_targets(&m, out->targets_found);
    for (uint32_t i = 0; i < request->source_count; ++i) {
        if (!answer_source(&m, i)) {
            return NAV_NO_MEMORY;
        }
    }
    if (m.leaving_count > 0 && !answer_all_leaving(&m)) {
        return NAV_NO_MEMORY;
    }
    out->nodes_expanded = m.expanded;
    return NAV_OK;
}
