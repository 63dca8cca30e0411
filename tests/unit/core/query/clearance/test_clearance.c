// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_clearance.c: paths that keep a distance from walls, in random worlds with shapes, switches,
// costs and links: each leg lies on open ground, ends and bounds are those of the path without, and
// the distance that is told is that of brute force over all walls; whatever counts, it is no more
// than that of the path's middle. Where brute force finds room for a circle of 1.1 times the
// clearance all along the path without, the clearance is kept, or what the ends leave of it.

#include "core/query/clearance/clearance.h"
#include "core/query/points/points.h"
#include "core/query/surface/surface.h"
#include "tests/unit/avoid_world.h"

#define PAIRS_A_WORLD 7
#define SAMPLES 100 // a leg
#define POINTS_MAX 4096
#define WALLS_MAX 20000
#define ROOM_PART 1.1
#define BEGINNINGS_MAX 16

static struct {
    uint32_t paths, moved, kept, roomy, shaped, linked, exact, elsewhere, sides, longest;
    double cost, plain_cost;
} tally;

typedef struct wall {
    spot a, b;
    double y_a, y_b;
} wall;
static wall walls[WALLS_MAX];
static uint32_t wall_count;

static float points[POINTS_MAX][3];
static bool is_link[POINTS_MAX]; // the piece behind the point

static void add_wall(void *user, const float a[3], const float b[3])
{
    (void)user;
    assert_true(wall_count < WALLS_MAX);
    walls[wall_count++] = (wall){.a = {(double)a[0], (double)a[2]},
                                 .b = {(double)b[0], (double)b[2]},
                                 .y_a = (double)a[1],
                                 .y_b = (double)b[1]};
}

static void list_walls(const nav_view *view)
{
    wall_count = 0;
    for (uint32_t i = 0; i < nav_view_polygons(view); ++i) {
        if (nav_polygon_cost(view, i) < INFINITY) {
            nav_view_walls(view, i, add_wall, NULL);
        }
    }
}

static double wall_distance(spot p)
{
    double nearest = HUGE_VAL;
    for (uint32_t i = 0; i < wall_count; ++i) {
        nearest = fmin(nearest, spot_to_line(p, walls[i].a, walls[i].b));
    }
    return nearest;
}

static spot spot_of(const float at[3])
{
    return (spot){(double)at[0], (double)at[2]};
}

static spot spot_between(const float a[3], const float b[3], double t)
{
    const spot p = spot_of(a), q = spot_of(b);
    return (spot){p.x + (q.x - p.x) * t, p.z + (q.z - p.z) * t};
}

// Copies the points of a path, and marks its links.
static uint32_t copy_points(const nav_path *path)
{
    const nav_view *view = &path->corridor->view;
    assert_true(path->point_count < POINTS_MAX);
    memcpy(points, path->points, path->point_count * sizeof *points);
    memset(is_link, 0, sizeof is_link);
    nav_path_walk walk = {.path = path};
    while (nav_path_walk_next(&walk)) {
        const uint32_t end = walk.spot.point;
        if (walk.arc != NULL && end > 0 && walk.arc->start[0] == points[end - 1][0] &&
            walk.arc->start[2] == points[end - 1][2]) {
            is_link[end - 1] = true;
        }
    }
    for (uint32_t i = 0; i + 1 < path->corridor_count; ++i) {
        assert_int_equal(nav_view_to(view, path->corridor->portals[i]),
                         nav_view_from(view, path->corridor->portals[i + 1]));
    }
    return path->point_count;
}

// ---- distances by brute force ----

// Whether a position counts that is told apart from both ends of its stretch, points `first` and
// `last`.
static bool counts(spot p, uint32_t first, uint32_t last, const double left_out[2])
{
    const spot a = spot_of(points[first]), b = spot_of(points[last]);
    return hypot(p.x - a.x, p.z - a.z) > left_out[0] && hypot(p.x - b.x, p.z - b.z) > left_out[1];
}

static uint32_t stretch_end(uint32_t first, uint32_t count)
{
    while (first + 1 < count && !is_link[first]) {
        ++first;
    }
    return first;
}

// The least distance of positions on the points at hand from walls, and the longest step between
// two of them.
typedef struct closest {
    double distance, step;
    spot at;
    uint32_t leg;
} closest;

// Of an end from the walls of its own ground, which is not that of brute force where grounds lie
// above each other: the most, or else the least, of those that it may be on.
static double end_distance(const nav_view *view, nav_scratch *scratch, uint32_t i, double clearance,
                           bool most)
{
    const nav_options close = {.snap = {1e-3f, 0.2f, 0.2f}};
    nav_location at[BEGINNINGS_MAX];
    const uint32_t count =
        nav_view_nearest(view, &close, points[i], nav_view_reach(view), at, BEGINNINGS_MAX);
    double result = most ? 0 : HUGE_VAL;
    assert_true(count > 0);
    for (uint32_t k = 0; k < count; ++k) {
        nav_leg_walls space;
        const nav_leg leg = {.a = {(double)points[i][0], (double)points[i][2]},
                             .b = {(double)points[i][0], (double)points[i][2]},
                             .polygon = at[k].polygon,
                             .ranges = {{0, 1}},
                             .range_count = 1};
        assert_true(nav_leg_measure(view, scratch, &leg, clearance, &space));
        const double distance = sqrt(space.distance2);
        assert_true(fmin(clearance, wall_distance(spot_of(points[i]))) <= distance + 1e-5);
        result = most ? fmax(result, distance) : fmin(result, distance);
    }
    return result;
}

// A quarter of how far a stretch comes from one of its ends.
static double quarter_from(uint32_t end, uint32_t first, uint32_t last)
{
    double farthest = 0;
    for (uint32_t i = first; i <= last; ++i) {
        farthest = fmax(farthest, hypot((double)points[i][0] - (double)points[end][0],
                                        (double)points[i][2] - (double)points[end][2]));
    }
    return farthest / 4;
}

// Which positions of a path are looked at. How far its ends are from walls may not be known.
typedef enum part {
    MAY_COUNT,
    MUST_COUNT,
    MIDDLE, // whatever the ends are like: farther from both than a quarter of the stretch
} part;

static void leave_out(const nav_view *view, nav_scratch *scratch, uint32_t first, uint32_t last,
                      double clearance, part looked_at, double out[2])
{
    const uint32_t ends[2] = {first, last};
    double least[2], most[2], wanted = clearance;
    for (int k = 0; k < 2; ++k) {
        const double quarter = quarter_from(ends[k], first, last);
        out[k] = quarter;
        least[k] = end_distance(view, scratch, ends[k], clearance, false);
        most[k] = end_distance(view, scratch, ends[k], clearance, true);
        wanted = fmin(wanted, quarter + (looked_at == MAY_COUNT ? least[k] : most[k]));
    }
    for (int k = 0; k < 2 && looked_at != MIDDLE; ++k) {
        const double distance = looked_at == MAY_COUNT ? most[k] : least[k];
        out[k] = fmin(out[k], fmax(wanted - distance, 0));
    }
}

static double step_length(uint32_t i)
{
    return hypot((double)points[i][0] - (double)points[i + 1][0],
                 (double)points[i][2] - (double)points[i + 1][2]) /
           SAMPLES;
}

static closest path_distance(const nav_view *view, nav_scratch *scratch, uint32_t count,
                             double clearance, part looked_at)
{
    closest best = {.distance = clearance};
    bool walks = false;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        best.step = fmax(best.step, step_length(i));
    }
    for (uint32_t first = 0, last; first < count; first = last + 1) {
        double left_out[2];
        bool any = false;
        last = stretch_end(first, count);
        leave_out(view, scratch, first, last, clearance, looked_at, left_out);
        for (int k = 0; k < 2; ++k) {
            // What counts may be less than a step long.
            left_out[k] += looked_at == MAY_COUNT ? -best.step : 3e-3;
        }
        for (uint32_t i = first; i < last; ++i) {
            for (int k = 0; k <= SAMPLES; ++k) {
                const spot p = spot_between(points[i], points[i + 1], (double)k / SAMPLES);
                if (counts(p, first, last, left_out)) {
                    const double distance = wall_distance(p);
                    any = true;
                    if (distance < best.distance) {
                        best.distance = distance;
                        best.at = p;
                        best.leg = i;
                    }
                }
            }
        }
        // Something is left of whatever is walked.
        walks = walks || last > first;
        assert_true(any || quarter_from(first, first, last) < 0.01);
    }
    if (!walks) {
        best.distance = end_distance(view, scratch, 0, clearance, looked_at == MUST_COUNT);
        best.at = spot_of(points[0]);
    }
    return best;
}

// The radius, up to `most`, of the largest circle that touches a wall in w, lies in direction n and
// has no wall inside.
static double circle_radius(spot w, spot n, double most)
{
    double radius = most;
    for (uint32_t i = 0; i < wall_count; ++i) {
        for (int k = 0; k < 20; ++k) {
            const spot c = {w.x + n.x * radius, w.z + n.z * radius};
            if (spot_to_line(c, walls[i].a, walls[i].b) >= radius * (1 - 1e-3)) {
                break;
            }
            radius *= 0.9;
        }
    }
    return radius;
}

static spot closest_wall(spot p, double *distance, double *y)
{
    spot best = p;
    *distance = HUGE_VAL;
    *y = 0;
    for (uint32_t i = 0; i < wall_count; ++i) {
        const spot a = walls[i].a, b = walls[i].b;
        const double dx = b.x - a.x, dz = b.z - a.z;
        double t = ((p.x - a.x) * dx + (p.z - a.z) * dz) / (dx * dx + dz * dz);
        t = fmin(1, fmax(0, t));
        const spot at = {a.x + dx * t, a.z + dz * t};
        const double off = hypot(p.x - at.x, p.z - at.z);
        if (off < *distance) {
            *distance = off;
            *y = walls[i].y_a + (walls[i].y_b - walls[i].y_a) * t;
            best = at;
        }
    }
    return best;
}

// Whether a direction leads to the inner side of all walls that a position touches.
static bool is_inward(spot p, spot n)
{
    bool inward = true;
    for (uint32_t i = 0; i < wall_count && inward; ++i) {
        const spot a = walls[i].a, b = walls[i].b;
        inward = spot_to_line(p, a, b) > 1e-3 ||
                 (b.z - a.z) * n.x - (b.x - a.x) * n.z >= -1e-3 * hypot(b.x - a.x, b.z - a.z);
    }
    return inward;
}

// Whether a circle of this radius fits beside the wall that is nearest to a position, on its side;
// on a wall, on either side of the leg's line.
static bool has_space(spot p, spot across, double radius)
{
    double distance, y;
    const spot wall_at = closest_wall(p, &distance, &y);
    if (distance >= radius) {
        return true;
    }
    if (distance > 1e-3) {
        const spot n = {(p.x - wall_at.x) / distance, (p.z - wall_at.z) / distance};
        return circle_radius(wall_at, n, radius) >= radius * (1 - 1e-3);
    }
    const spot other = {-across.x, -across.z};
    return (is_inward(p, across) &&
            circle_radius(wall_at, across, radius) >= radius * (1 - 1e-3)) ||
           (is_inward(p, other) && circle_radius(wall_at, other, radius) >= radius * (1 - 1e-3));
}

static spot unit_between(const float a[3], const float b[3])
{
    const double x = (double)b[0] - (double)a[0], z = (double)b[2] - (double)a[2];
    const double length = hypot(x, z);
    return (spot){x / length, z / length};
}

// Whether there is room all along the points at hand: on legs, and around turns.
static bool is_roomy(uint32_t count, double radius)
{
    for (uint32_t i = 0; i + 1 < count; ++i) {
        const spot u = unit_between(points[i], points[i + 1]);
        for (int k = 0; k <= SAMPLES && !is_link[i]; ++k) {
            if (!has_space(spot_between(points[i], points[i + 1], (double)k / SAMPLES),
                           (spot){-u.z, u.x}, radius)) {
                return false;
            }
        }
        for (int k = 0; k <= 10 && i > 0 && !is_link[i] && !is_link[i - 1]; ++k) {
            const spot v = unit_between(points[i - 1], points[i]);
            const spot n = {-(v.z + (u.z - v.z) * k / 10), v.x + (u.x - v.x) * k / 10};
            const double length = hypot(n.x, n.z);
            if (!(length > 1e-6) ||
                !has_space(spot_of(points[i]), (spot){n.x / length, n.z / length}, radius)) {
                return false;
            }
        }
    }
    return true;
}

// ---- what must hold ----

typedef struct answer {
    nav_path path;
    uint32_t count;
    float points[POINTS_MAX][3];
} answer;
static answer plain, clear;

// Whether the path without has the very leg.
static bool is_plain_leg(uint32_t i)
{
    bool found = false;
    for (uint32_t k = 0; k + 1 < plain.count && !found; ++k) {
        found = memcmp(plain.points[k], points[i], 2 * sizeof points[i]) == 0;
    }
    return found;
}

// Walks straight from one point of a path to the next. Several grounds may meet where it begins.
static bool walk_leg(const nav_view *view, nav_scratch *scratch, uint32_t i, double *cost)
{
    const nav_options close = {.snap = {1e-3f, 0.2f, 0.2f}};
    nav_location from[BEGINNINGS_MAX];
    const uint32_t count =
        nav_view_nearest(view, &close, points[i], nav_view_reach(view), from, BEGINNINGS_MAX);
    bool walked = false;
    for (uint32_t k = 0; k < count && !walked; ++k) {
        nav_ray ray;
        assert_true(nav_view_raycast(view, scratch, &from[k], points[i + 1], NULL, &ray));
        *cost = ray.cost;
        // Where the borders of two grounds meet they may be a climb apart.
        const double near = fmax(0.3, (double)view->mesh->agent_max_climb);
        walked = !ray.hit && fabs((double)ray.position[1] - (double)points[i + 1][1]) < near;
    }
    return walked;
}

// Legs lie on open ground, and cost what the path says.
static void expect_walkable(const nav_view *view, nav_scratch *scratch, uint32_t count, bool sums,
                            double cost)
{
    double sum = 0;
    for (uint32_t i = 0; i + 1 < count; ++i) {
        double leg_cost = 0;
        // Where ground winds around itself a walk may take another of its storeys.
        const bool walked = is_link[i] || walk_leg(view, scratch, i, &leg_cost);
        assert_true(walked || is_plain_leg(i));
        sum += leg_cost;
    }
    const bool same = fabs(cost - sum) <= 1e-4 * sum + 1e-4;
    // Along an edge between grounds of two costs each may take another side.
    assert_true(!sums || same || !view->costs->uniform);
    tally.sides += sums && !same;
}

// The wall that is nearest to a position of the path is no wall of its ground.
static void expect_elsewhere(const nav_view *view, nav_scratch *scratch, const closest *nearest)
{
    const nav_options close = {.snap = {1e-3f, 0.2f, 0.2f}};
    double distance, y;
    const spot wall_at = closest_wall(nearest->at, &distance, &y);
    const float at[3] = {(float)nearest->at.x, 0, (float)nearest->at.z};
    const double beyond = 1 + 0.01 / fmax(distance, 1e-6);
    const float to[3] = {(float)(nearest->at.x + (wall_at.x - nearest->at.x) * beyond), 0,
                         (float)(nearest->at.z + (wall_at.z - nearest->at.z) * beyond)};
    nav_location from;
    nav_ray ray;
    assert_int_equal(
        nav_view_nearest(view, &close, points[nearest->leg], nav_view_reach(view), &from, 1), 1);
    assert_true(nav_view_raycast(view, scratch, &from, at, NULL, &ray) && !ray.hit);
    from.polygon = ray.polygon;
    memcpy(from.position, ray.position, sizeof from.position);
    assert_true(nav_view_raycast(view, scratch, &from, to, NULL, &ray));
    const double left =
        hypot((double)ray.position[0] - wall_at.x, (double)ray.position[2] - wall_at.z);
    assert_true(!ray.hit || left > 4e-3 || fabs((double)ray.position[1] - y) > 0.3);
}

// What the ends of a path leave of a clearance, however it is led from one to the other.
static double room_of_ends(const nav_view *view, nav_scratch *scratch, uint32_t count,
                           double clearance)
{
    const uint32_t ends[2] = {0, count - 1};
    double space = clearance;
    for (int k = 0; k < 2; ++k) {
        const double apart = hypot((double)points[ends[0]][0] - (double)points[ends[1]][0],
                                   (double)points[ends[0]][2] - (double)points[ends[1]][2]);
        space = fmin(space, apart / 4 + end_distance(view, scratch, ends[k], clearance, false));
    }
    return space;
}

static void ask(const nav_mesh *mesh, nav_scratch *scratch, const nav_path_request *request,
                answer *out)
{
    assert_int_equal(nav_query_path(mesh, scratch, request, &out->path), NAV_OK);
    out->count = out->path.point_count;
    if (out->count > 0) {
        copy_points(&out->path);
        memcpy(out->points, points, sizeof points);
    }
}

static void try_pair(const nav_mesh *mesh, nav_scratch *scratch, nav_path_request request,
                     float clearance)
{
    request.clearance = 0.0f;
    // With all shapes seen, as a question with a clearance sees them.
    ask(mesh, scratch, &request, &plain);
    const bool is_known = plain.count > 1 && !nav_options_have_shapes(&request.options);
    if (is_known) {
        list_walls(&plain.path.corridor->view);
    }
    // Storeys that are less than a climb apart may keep a path where it is.
    const bool is_plain = mesh->arc_count == 0 && mesh->agent_max_climb < mesh->agent_height;
    const bool roomy = is_known && is_plain && is_roomy(plain.count, ROOM_PART * (double)clearance);
    const double space =
        roomy ? room_of_ends(&plain.path.corridor->view, scratch, plain.count, (double)clearance)
              : 0;
    request.clearance = clearance;
    ask(mesh, scratch, &request, &clear);
    const nav_path *path = &clear.path;
    assert_int_equal(path->status, plain.path.status);
    assert_int_equal(path->reason, plain.path.reason);
    assert_memory_equal(path->start, plain.path.start, sizeof path->start);
    assert_memory_equal(path->end, plain.path.end, sizeof path->end);
    assert_true(path->clearance_min >= 0 && path->clearance_min <= (double)clearance);
    if (clear.count == 0) {
        assert_true(path->clearance_min == 0);
        return;
    }
    assert_true(path->status != NAV_PATH_COMPLETE || path->lower_bound <= path->cost);
    assert_memory_equal(clear.points[0], plain.points[0], sizeof points[0]);
    if (path->status == NAV_PATH_COMPLETE) {
        assert_memory_equal(clear.points[clear.count - 1], path->end, sizeof points[0]);
    }
    const bool moved = clear.count != plain.count ||
                       memcmp(clear.points, plain.points, clear.count * sizeof points[0]) != 0;
    if (!nav_options_have_shapes(&request.options)) {
        assert_true(path->optimal == (plain.path.optimal && !moved));
        assert_true(path->status != NAV_PATH_COMPLETE ||
                    path->cost >= plain.path.lower_bound * (1 - 1e-6));
        assert_memory_equal(clear.points[clear.count - 1], plain.points[plain.count - 1],
                            sizeof points[0]);
    }
    // The least distance, of all walls.
    list_walls(&path->corridor->view);
    const double told = path->clearance_min, cost = path->cost;
    const nav_view *view = &path->corridor->view;
    closest nearest = path_distance(view, scratch, clear.count, (double)clearance, MAY_COUNT);
    assert_true(nearest.distance <= told + nearest.step + 4e-3);
    bool exact = true;
    for (part looked_at = MUST_COUNT; looked_at <= MIDDLE; ++looked_at) {
        // More is told only where the nearest wall belongs to other ground, above or below.
        nearest = path_distance(view, scratch, clear.count, (double)clearance, looked_at);
        exact = exact && told <= nearest.distance + 4e-3;
        if (told > nearest.distance + 4e-3) {
            expect_elsewhere(view, scratch, &nearest);
        }
    }
    tally.exact += exact;
    tally.elsewhere += !exact;
    uint32_t arcs = 0;
    for (uint32_t i = 0; i < path->corridor_count; ++i) {
        arcs += nav_portal_is_arc(&path->corridor->view, path->corridor->portals[i]);
    }
    const bool kept = told >= (double)clearance;
    assert_true(kept || (space < (double)clearance && told >= space - 5e-3));
    memcpy(points, clear.points, sizeof points);
    expect_walkable(&path->corridor->view, scratch, clear.count,
                    arcs == 0 && !nav_options_have_shapes(&request.options), cost);
    ++tally.paths;
    tally.moved += moved;
    tally.kept += kept;
    tally.roomy += roomy;
    tally.shaped += moved && nav_options_have_shapes(&request.options);
    tally.linked += moved && arcs > 0;
    tally.cost += nav_options_have_shapes(&request.options) ? 0 : cost;
    tally.plain_cost += nav_options_have_shapes(&request.options) ? 0 : plain.path.cost;
    tally.longest = clear.count > tally.longest ? clear.count : tally.longest;
}

static void try_world(world *w, nav_mesh *mesh)
{
    if (mesh == NULL) {
        return;
    }
    nav_scratch *scratch;
    world_shapes shapes;
    assert_int_equal(nav_scratch_create(NULL, &scratch), NAV_OK);
    world_add_shapes(w, mesh, &shapes);
    const uint8_t *switches = world_random_state(w, mesh);
    for (int i = 0; i < PAIRS_A_WORLD; ++i) {
        nav_path_request request = {.options = nav_options_default()};
        request.options.avoid = shapes.list;
        request.options.avoid_count = i % 3 == 0 ? shapes.count : 0;
        request.options.switches = nav_mesh_switch_count(mesh) > 0 ? switches : NULL;
        request.search = i % 2 == 0 ? NAV_SEARCH_FAST : NAV_SEARCH_AUTO;
        world_random_place(w, mesh, request.start);
        world_random_place(w, mesh, request.end);
        // One of them is mostly more than there is room for anywhere.
        const float clearance = world_chance(w, 0.05f, 2.5f) * w->config.cell_size;
        try_pair(mesh, scratch, request, i == PAIRS_A_WORLD - 1 ? 10.0f * clearance : clearance);
    }
    nav_scratch_destroy(scratch);
    nav_mesh_release(mesh);
}

static void in_a_plain_world(world *w)
{
    try_world(w, world_mesh(w));
}

static void in_a_world_of_costs_and_switches(world *w)
{
    world_simplify(w);
    choose_switches(w);
    world_random_areas(w);
    for (int i = 1; i < 4; ++i) {
        w->areas[i].cost = world_chance(w, 0.5f, 5.0f);
    }
    try_world(w, world_mesh_priced(w));
}

static void in_worlds(void (*test)(world *))
{
    memset(&tally, 0, sizeof tally);
    for_all_worlds(300, test);
    printf("%u paths, %u moved, %u keep all of it, %u have room; %u moved with "
           "shapes, %u over links; %u as brute force, %u beside other ground; %u along edges; %.3f "
           "of the cost, %u points at most\n",
           tally.paths, tally.moved, tally.kept, tally.roomy, tally.shaped, tally.linked,
           tally.exact, tally.elsewhere, tally.sides, tally.cost / tally.plain_cost, tally.longest);
    if (getenv("NAV_PROPERTY_WORLDS") == NULL) {
        assert_true(tally.moved > 500 && tally.kept > 250 && tally.roomy > 60);
        assert_true(tally.shaped > 150 && tally.linked > 30 && tally.exact > 2 * tally.elsewhere);
        assert_true(tally.sides < 40);
    }
}

static void they_hold_in_plain_worlds(void **state)
{
    (void)state;
    in_worlds(in_a_plain_world);
}

static void they_hold_over_costs_and_switches(void **state)
{
    (void)state;
    in_worlds(in_a_world_of_costs_and_switches);
}

// A leg in two parts along the shortest path is shorter than it by a rounding.
static void no_path_is_cheaper_than_its_bound(void **state)
{
    (void)state;
    static const uint64_t worlds[] = {5000036};
    for_worlds(worlds, 1, in_a_plain_world);
}

// A path that comes back over an edge is told on which side of it each point lies.
static void paths_that_turn_back_are_measured(void **state)
{
    (void)state;
    static const uint64_t worlds[] = {777152}, with_costs[] = {780337};
    for_worlds(worlds, 1, in_a_plain_world);
    for_worlds(with_costs, 1, in_a_world_of_costs_and_switches);
}

// Straight ahead from the start, less than a climb below the goal, is another storey than the
// goal's.
static void a_path_ends_on_the_storey_of_the_goal(void **state)
{
    (void)state;
    static const uint64_t worlds[] = {5001083};
    for_worlds(worlds, 1, in_a_plain_world);
}

// Costs meet at the goal, where the polygon before has another height.
static void a_path_ends_at_the_height_of_the_goal(void **state)
{
    (void)state;
    static const uint64_t worlds[] = {5000275};
    for_worlds(worlds, 1, in_a_world_of_costs_and_switches);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(they_hold_in_plain_worlds, name_world),
        cmocka_unit_test_teardown(they_hold_over_costs_and_switches, name_world),
        cmocka_unit_test_teardown(no_path_is_cheaper_than_its_bound, name_world),
        cmocka_unit_test_teardown(paths_that_turn_back_are_measured, name_world),
        cmocka_unit_test_teardown(a_path_ends_on_the_storey_of_the_goal, name_world),
        cmocka_unit_test_teardown(a_path_ends_at_the_height_of_the_goal, name_world),
    };
    return cmocka_run_group_tests_name("query_clearance", tests, NULL, NULL);
}
