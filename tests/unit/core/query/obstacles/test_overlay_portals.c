// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_overlay_portals.c: in random worlds with shapes, neighbours agree on each cut: a portal of
// the overlay has exactly one reverse, with the same floats and vertices; positions that are one
// but for rounding are one; and along the edges of fragments and the borders of polygons portals
// leave no gap and do not overlap.

#include "core/query/question/question.h"
#include "core/query/view/scratch.h"
#include "tests/unit/avoid_world.h"

#define SAMPLES_AN_EDGE 4

static nav_scratch *scratch;

static struct {
    uint32_t portals, whole, samples, covered, slivers, borders;
} tally;

// ---- reverses ----

static bool is_reverse(const nav_portal *a, const nav_portal *b)
{
    return b->to == a->from && memcmp(a->left, b->right, sizeof a->left) == 0 &&
           memcmp(a->right, b->left, sizeof a->right) == 0;
}

static uint32_t count_reverses(const nav_view *view, const nav_portal *portal, bool *same_vertices)
{
    const nav_face behind = nav_view_face(view, portal->to);
    uint32_t count = 0;
    *same_vertices = false;
    for (uint32_t i = 0; i < behind.portal_count; ++i) {
        const nav_portal *back = &behind.portals[i];
        count += is_reverse(portal, back);
        *same_vertices = *same_vertices ||
                         (is_reverse(portal, back) && back->left_vertex == portal->right_vertex &&
                          back->right_vertex == portal->left_vertex);
    }
    return count;
}

static bool ends_at(const nav_view *view, const nav_portal *portal)
{
    const float *left = nav_view_vertex_xz(view, portal->left_vertex);
    const float *right = nav_view_vertex_xz(view, portal->right_vertex);
    return left[0] == portal->left[0] && left[2] == portal->left[1] &&
           right[0] == portal->right[0] && right[2] == portal->right[1];
}

static void expect_reverses(const nav_view *view)
{
    const uint32_t count = view->mesh->portal_count;
    for (uint32_t i = count; i < nav_view_portals(view); ++i) {
        const nav_portal *portal = nav_view_portal(view, i);
        bool same_vertices;
        assert_int_equal(count_reverses(view, portal, &same_vertices), 1);
        assert_true(ends_at(view, portal));
        // A polygon of the mesh without area may have an edge that is a point in plan view.
        const bool is_new =
            portal->from >= view->mesh->stats.polygons || portal->to >= view->mesh->stats.polygons;
        assert_false(is_new && nav_plane_same(portal->left, portal->right));
        assert_true(same_vertices || !is_new);
        tally.portals += is_new;
        tally.whole += !is_new;
    }
}

// ---- corners ----

// Two corners, or ends of portals, are one position or as far apart as one can tell.
static void expect_positions(const nav_view *view)
{
    const nav_overlay *o = view->overlay;
    for (uint32_t i = 0; i < o->count.vertices; ++i) {
        const float *a = o->vertices[i].at;
        const double near = 0.4 * nav_overlay_tolerance((double)a[0], (double)a[2]);
        for (uint32_t k = 0; k < i; ++k) {
            const float *b = o->vertices[k].at;
            const double away = hypot((double)a[0] - (double)b[0], (double)a[2] - (double)b[2]);
            assert_true(away == 0.0 || away >= near);
        }
    }
}

// ---- gaps ----

static double away_from(const float *end, const double at[2])
{
    return hypot((double)end[0] - at[0], (double)end[1] - at[1]);
}

// Whether a portal takes the point of a line that it lies along.
static bool takes(const nav_portal *portal, const double at[2], double margin)
{
    const double rx = (double)portal->right[0], rz = (double)portal->right[1];
    const double ex = (double)portal->left[0] - rx, ez = (double)portal->left[1] - rz;
    const double length = hypot(ex, ez);
    const double along = ((at[0] - rx) * ex + (at[1] - rz) * ez) / length;
    const double beside = fabs((at[0] - rx) * ez - (at[1] - rz) * ex) / length;
    return beside <= margin / 8 && along > 0 && along < length;
}

// How many portals lead from one polygon to another, or its fragments, over a point; -1: something
// ends next to it.
static int count_over(const nav_view *view, uint32_t from, uint32_t to, const double at[2],
                      double margin)
{
    const nav_face face = nav_view_face(view, from);
    const double near = 16 * margin; // the samples beside the point may be past the end
    int count = 0;
    for (uint32_t i = 0; i < face.portal_count; ++i) {
        const nav_portal *portal = &face.portals[i];
        if (away_from(portal->left, at) < near || away_from(portal->right, at) < near) {
            return -1;
        }
        count += portal->to == to && takes(portal, at, margin);
    }
    return count;
}

// The only polygon or fragment on one side of a point of an edge; NAV_NONE where there is none, or
// more than one.
static uint32_t beside(const nav_view *view, uint32_t base, const double at[2], const double out[2],
                       double margin)
{
    uint32_t found = NAV_NONE;
    double away = 3 * nav_overlay_tolerance(at[0], at[1]);
    for (int i = 0; i == 0 || away < 2 * margin; ++i, away *= 1.5) {
        const float point[3] = {(float)(at[0] + out[0] * away), 0, (float)(at[1] + out[1] * away)};
        const uint32_t polygon = nav_view_polygon_at(view, base, point);
        if (polygon == NAV_NONE || (i > 0 && polygon != found)) {
            return NAV_NONE;
        }
        found = polygon;
    }
    return found;
}

// Both sides of a point of an edge, which runs counter-clockwise around `from`.
static void expect_covered(const nav_view *view, uint32_t from, uint32_t base, const double at[2],
                           const double out[2], double margin)
{
    const double in[2] = {-out[0], -out[1]};
    const uint32_t inside = beside(view, from, at, in, margin);
    const uint32_t outside = beside(view, base, at, out, margin);
    if (inside == NAV_NONE || outside == NAV_NONE || inside == outside) {
        return;
    }
    ++tally.samples;
    const int over = count_over(view, inside, outside, at, margin);
    if (over >= 0) {
        assert_true(over <= 1);
        tally.covered += over == 1;
        tally.slivers += over == 0;
    }
}

static void sample_edge(const nav_view *view, world *w, uint32_t from, uint32_t base,
                        const float *a, const float *b, double margin)
{
    const double ex = (double)b[0] - (double)a[0], ez = (double)b[1] - (double)a[1];
    const double length = hypot(ex, ez);
    if (length < 20 * margin) {
        return;
    }
    const double out[2] = {-ez / length, ex / length};
    for (int i = 0; i < SAMPLES_AN_EDGE; ++i) {
        const double t = (double)world_chance(w, 0.02f, 0.98f);
        const double at[2] = {(double)a[0] + ex * t, (double)a[1] + ez * t};
        expect_covered(view, from, base, at, out, margin);
    }
}

// A polygon whose inside is wide enough to be told from its border.
static bool is_wide(const nav_mesh *mesh, uint32_t polygon, double margin)
{
    const nav_polygon_record *record = &mesh->records[polygon];
    const double extent = (double)record->max[0] - (double)record->min[0] + (double)record->max[2] -
                          (double)record->min[2];
    return nav_mesh_polygon_area(mesh, polygon) > 20 * margin * extent;
}

static void expect_no_gaps(const nav_view *view, world *w, double margin)
{
    const nav_mesh *mesh = view->mesh;
    for (uint32_t i = mesh->stats.polygons; i < nav_view_polygons(view); ++i) {
        const nav_face face = nav_view_face(view, i);
        const uint32_t base = nav_view_base(view, i);
        for (uint32_t k = 0; k < face.corner_count && is_wide(mesh, base, margin); ++k) {
            const float *a = nav_view_vertex_xz(view, face.corners[k]);
            const float *b = nav_view_vertex_xz(view, face.corners[(k + 1) % face.corner_count]);
            sample_edge(view, w, base, base, (float[2]){a[0], a[2]}, (float[2]){b[0], b[2]},
                        margin);
        }
    }
    for (uint32_t i = 0; i < mesh->edge_portal_count; ++i) {
        const nav_portal *p = &mesh->portals[i];
        if ((nav_overlay_is_cut(view->overlay, p->from) ||
             nav_overlay_is_cut(view->overlay, p->to)) &&
            is_wide(mesh, p->from, margin) && is_wide(mesh, p->to, margin) &&
            (mesh->portal_turning_vertices[i][0] & NAV_TURNING_NON_MANIFOLD) == 0) {
            const uint32_t before = tally.covered;
            sample_edge(view, w, p->from, p->to, p->right, p->left, margin);
            tally.borders += tally.covered - before;
        }
    }
}

static void neighbours_of_a_world(world *w)
{
    nav_mesh *mesh = world_mesh(w);
    if (mesh == NULL) {
        return;
    }
    world_shapes shapes;
    world_add_mixed_shapes(w, mesh, 3, &shapes);
    nav_options options = nav_options_default();
    options.avoid = shapes.list;
    options.avoid_count = shapes.count;
    nav_view view;
    assert_true(nav_view_begin(mesh, scratch, &options, &view));
    if (view.overlay != NULL) {
        expect_reverses(&view);
        expect_positions(&view);
        expect_no_gaps(&view, w, 1e-3 * (double)w->config.cell_size);
    }
    nav_mesh_release(mesh);
}

static void neighbours_agree(void **state)
{
    (void)state;
    memset(&tally, 0, sizeof tally);
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    for_all_worlds(2000, neighbours_of_a_world);
    nav_scratch_destroy(scratch);
    printf("%u new portals, %u as they were; %u samples of edges, %u covered, %u of them over "
           "borders, %u with a sliver between\n",
           tally.portals, tally.whole, tally.samples, tally.covered, tally.borders, tally.slivers);
    // A sliver between two fragments may be narrower than a look at both sides can tell.
    assert_true(tally.slivers <= 6 + tally.covered / 4000);
    assert_true((tally.portals > 50000 && tally.borders > 5000) ||
                getenv("NAV_PROPERTY_WORLDS") != NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(neighbours_agree, name_world),
    };
    return cmocka_run_group_tests_name("query_overlay_portals", tests, NULL, NULL);
}
