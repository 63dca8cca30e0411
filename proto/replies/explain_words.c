// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// explain_words.c: facts about a place as one sentence for people who make levels: what is there,
// by how much it misses, and which setting decides.

#include "proto/base/coordinates.h"
#include "proto/replies/reply.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct sentence {
    const proto_place_facts *facts;
    nav_coordinates coordinates;
    proto_sentence text;
} sentence;

static proto_length_text number_of(double value)
{
    proto_length_text t;
    (void)snprintf(t.text, sizeof t.text, "%.2f", value);
    char *end = t.text + strlen(t.text);
    while (end[-1] == '0') {
        *--end = '\0';
    }
    if (end[-1] == '.') {
        end[-1] = '\0';
    }
    return t;
}

static bool is_in_metres(nav_coordinates coordinates)
{
    return proto_length_to_level(coordinates, 1) == 1;
}

static proto_length_text length_of(const sentence *s, float metres)
{
    return proto_say_length(s->coordinates, (double)metres);
}

static proto_length_text setting_value(const sentence *s, float metres)
{
    return proto_say_setting(s->coordinates, (double)metres);
}

// A setting of the agent that asks.
static nav_error_place setting_of(const sentence *s, const char *member)
{
    return proto_agent_setting(s->facts->agent, member);
}

static const nav_floor_facts *floor_of(const proto_place_facts *facts)
{
    return facts->floor != NAV_NONE ? &facts->column->floors[facts->floor] : NULL;
}

// ---- by verdict ----

// The material of the highest triangle within the floor's span; "" where it has none.
static const char *material_of(const proto_place_facts *facts, const nav_floor_facts *floor)
{
    const nav_geometry *g = facts->geometry;
    const char *name = "";
    for (uint32_t i = 0; g->triangle_materials != NULL && i < facts->column->triangle_count; i++) {
        const nav_triangle_facts *t = &facts->column->triangles[i];
        if (t->high <= floor->top && t->high > floor->bottom && t->area == NAV_AREA_NONE) {
            name = g->material_names[g->triangle_materials[t->triangle]];
        }
    }
    return name;
}

static void say_area_none(sentence *s, const nav_floor_facts *floor)
{
    const char *material = material_of(s->facts, floor);
    if (material[0] != '\0') {
        proto_say(&s->text,
                  "The floor here is of the material \"%.48s\", which is no ground (materials).",
                  material);
    } else {
        proto_say(&s->text, "The level itself says that the floor here is no ground (area none).");
    }
}

// The free room between the triangles themselves, in all of the column; the floors have it in whole
// cells. As the cells have it where no triangle ends it.
static float headroom_above(const proto_place_facts *facts, const nav_floor_facts *floor)
{
    const nav_geometry *g = facts->geometry;
    const float half_cell = facts->config->cell_height / 2;
    float ground = floor->bottom, ceiling = (float)INFINITY;
    for (uint32_t i = 0; i < facts->column->triangle_count; i++) {
        const nav_triangle_facts *t = &facts->column->triangles[i];
        const uint32_t *index = g->triangles + 3 * (size_t)t->triangle;
        const float a = g->vertices[3 * (size_t)index[0] + 1];
        const float b = g->vertices[3 * (size_t)index[1] + 1];
        const float c = g->vertices[3 * (size_t)index[2] + 1];
        if (t->high <= floor->top && t->high > floor->bottom) {
            ground = fmaxf(ground, fminf(t->high, fmaxf(a, fmaxf(b, c))));
        } else if (t->low > floor->top + floor->headroom - half_cell) {
            ceiling = fminf(ceiling, fmaxf(t->low, fminf(a, fminf(b, c))));
        }
    }
    return isfinite(ceiling) ? ceiling - ground : floor->headroom;
}

// Room that is enough is counted as too little where cells are coarse: floors end with a whole
// cell, and ceilings begin with one.
static void say_low_headroom(sentence *s, const nav_floor_facts *floor)
{
    const nav_config *c = s->facts->config;
    const float headroom = headroom_above(s->facts, floor);
    const float counted = ceilf(c->agent_height / c->cell_height) * c->cell_height;
    const nav_error_place height = setting_of(s, "height");
    const proto_length_text needed = setting_value(s, c->agent_height);
    if (!(headroom > c->agent_height)) {
        proto_say(&s->text,
                  "There is only %s of free room above the ground here; the agent needs more than "
                  "%s (%s).",
                  length_of(s, floor->headroom).text, needed.text, height.text);
        return;
    }
    proto_say(&s->text,
              "There is %s of free room above the ground here, which counts as %s in cells of %s "
              "(cell_height); the agent needs more than %s (%s",
              length_of(s, headroom).text, length_of(s, floor->headroom).text,
              setting_value(s, c->cell_height).text, needed.text, height.text);
    if (counted > c->agent_height * 1.01f) {
        proto_say(&s->text, ", which counts as %s", setting_value(s, counted).text);
    }
    proto_say(&s->text, "). A smaller cell_height measures finer.");
}

static void say_ledge(sentence *s, const nav_floor_facts *floor)
{
    const float climb = s->facts->config->agent_max_climb;
    if (isinf(floor->ledge_drop)) {
        proto_say(
            &s->text,
            "This place is the rim of the ground: right beside it there is nothing to stand on "
            "(filters.ledges).");
    } else if (floor->ledge_drop > 0) {
        proto_say(
            &s->text,
            "This place is a ledge: the ground beside it lies %s lower, and the agent climbs %s "
            "(%s).",
            length_of(s, floor->ledge_drop).text, setting_value(s, climb).text,
            setting_of(s, "max_climb").text);
    } else {
        proto_say(
            &s->text,
            "The ground around this place rises and falls by %s from cell to cell, and the agent "
            "climbs %s (%s): it is too steep to stand on.",
            length_of(s, floor->ledge_spread).text, setting_value(s, climb).text,
            setting_of(s, "max_climb").text);
    }
}

// In whole cells the radius may be a larger one.
static void say_eroded(sentence *s, const nav_floor_facts *floor)
{
    const nav_config *c = s->facts->config;
    const float counted = ceilf(c->agent_radius / c->cell_size) * c->cell_size;
    proto_say(&s->text, "This place is %s from %s, and the agent keeps %s away from that (%s",
              length_of(s, floor->edge_distance).text,
              floor->edge_is_cut ? "ground that a volume cuts" : "where the walkable ground ends",
              setting_value(s, c->agent_radius).text, setting_of(s, "radius").text);
    if (counted > c->agent_radius * 1.01f) {
        proto_say(&s->text, ", which counts as %s in cells of %s", setting_value(s, counted).text,
                  setting_value(s, c->cell_size).text);
    }
    proto_say(&s->text, ").");
}

static void say_cut(sentence *s, const nav_floor_facts *floor)
{
    const char *id = s->facts->config->volumes[floor->volume].id;
    if (id[0] != '\0') {
        proto_say(&s->text, "The volume \"%s\" (volumes[%u]) cuts the ground here.", id,
                  floor->volume);
    } else {
        proto_say(&s->text, "The volume volumes[%u] cuts the ground here.", floor->volume);
    }
}

static void say_verdict(sentence *s, const nav_floor_facts *floor)
{
    const nav_config *c = s->facts->config;
    switch (floor->verdict) {
    case NAV_VERDICT_AREA_NONE:
        say_area_none(s, floor);
        return;
    case NAV_VERDICT_FACES_DOWN:
        proto_say(&s->text,
                  "This is an underside, or ground turned upside down: what is on top here faces "
                  "down, and the corners of ground run counter-clockwise as seen from above.");
        return;
    case NAV_VERDICT_TOO_STEEP:
        proto_say(&s->text,
                  "The ground here is %s degrees steep; the agent walks on up to %s (%s).",
                  number_of((double)floor->slope).text, number_of((double)c->agent_max_slope).text,
                  setting_of(s, "max_slope").text);
        return;
    case NAV_VERDICT_LOW_HEADROOM:
        say_low_headroom(s, floor);
        return;
    case NAV_VERDICT_LEDGE:
        say_ledge(s, floor);
        return;
    case NAV_VERDICT_UNDER_LIQUID:
        proto_say(&s->text, "A liquid lies over the ground here.");
        return;
    case NAV_VERDICT_OUT_OF_BOUNDS:
        proto_say(&s->text,
                  "The ground here lies above or below the bounds of the settings (bounds).");
        return;
    case NAV_VERDICT_CUT:
        say_cut(s, floor);
        return;
    case NAV_VERDICT_ERODED:
        say_eroded(s, floor);
        return;
    case NAV_VERDICT_REGION_REMOVED: {
        const uint32_t side = s->facts->config->region_min_size;
        proto_say(&s->text,
                  "The ground here is an island of %u cell%s; islands of less than %u are left out "
                  "(region_min_size %u).",
                  floor->region_cells, floor->region_cells == 1 ? "" : "s", side * side, side);
        return;
    }
    default:
        NAV_ASSERT(floor->verdict == NAV_VERDICT_SIMPLIFIED);
        proto_say(
            &s->text,
            "The ground here could be walked on, but the simplified outline of the mesh passes "
            "it by (edge_max_error %s).",
            number_of((double)c->edge_max_error).text);
    }
}

// ---- what is there ----

static void say_mesh(sentence *s)
{
    const proto_place_facts *f = s->facts;
    const nav_polygon polygon = nav_mesh_polygon(f->mesh, f->place.polygon);
    const char *area = nav_mesh_area_name(f->mesh, polygon.area);
    nav_switch_info info;
    if (f->closed_switch != NAV_NONE) {
        nav_mesh_switch(f->mesh, f->closed_switch, &info);
        proto_say(&s->text, "There is mesh here, but the switch \"%s\" is closed.", info.id);
        return;
    }
    if (!f->is_open) {
        proto_say(&s->text, "There is mesh here, but an obstacle of the instance stands on it.");
        return;
    }
    proto_say(&s->text, "The agent can walk here: %s%s, on island %u",
              area[0] != '\0' ? "area " : "ground", area, polygon.component);
    if (f->wall.hit) {
        proto_say(&s->text, ", %s from where the mesh ends", length_of(s, f->wall.distance).text);
    }
    proto_say(&s->text, ".");
}

// The tile has a polygon there, the mesh has not.
static void say_left_out(sentence *s)
{
    const nav_config *c = s->facts->config;
    if (c->seed_count > 0) {
        proto_say(&s->text,
                  "There is ground here, but it cannot be reached from any of the seeds, so it was "
                  "left out (seeds).");
    } else {
        proto_say(&s->text,
                  "The ground here is part of an island over several tiles that is smaller than %u "
                  "cells, so it was left out (region_min_size %u).",
                  c->region_min_size * c->region_min_size, c->region_min_size);
    }
}

// ---- exported ----

proto_length_text proto_say_length(nav_coordinates coordinates, double metres)
{
    if (is_in_metres(coordinates)) {
        return number_of(metres);
    }
    proto_length_text t;
    (void)snprintf(t.text, sizeof t.text, "%.40s of the level's units (%.24s m)",
                   number_of(proto_length_to_level(coordinates, metres)).text,
                   number_of(metres).text);
    return t;
}

proto_length_text proto_say_setting(nav_coordinates coordinates, double metres)
{
    proto_length_text t;
    (void)snprintf(t.text, sizeof t.text, "%g%s", metres, is_in_metres(coordinates) ? "" : " m");
    return t;
}

void proto_say(proto_sentence *s, const char *format, ...)
{
    const size_t space = s->size_bytes - s->used;
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(s->out + s->used, space, format, args);
    va_end(args);
    if (length > 0) {
        s->used += (size_t)length < space ? (size_t)length : space - 1;
    }
}

nav_error_place proto_agent_setting(const char *agent, const char *member)
{
    return agent == NULL ? nav_at("agent.%s", member) : nav_at("agents.%s.%s", agent, member);
}

const char *proto_place_reason(const proto_place_facts *facts)
{
    const nav_floor_facts *floor = floor_of(facts);
    if (facts->place.polygon != NAV_NONE) {
        return facts->closed_switch != NAV_NONE ? "switch_closed"
               : facts->is_open                 ? NULL
                                                : "obstacle";
    }
    if (floor == NULL) {
        return "no_triangles";
    }
    if (floor->polygon != NAV_NONE) {
        return facts->config->seed_count > 0 ? "unseeded" : "island_removed";
    }
    return nav_verdict_word(floor->verdict);
}

void proto_place_say(const proto_place_facts *facts, nav_coordinates coordinates,
                     char out[PROTO_SENTENCE_BYTES])
{
    sentence s = {.facts = facts,
                  .coordinates = coordinates,
                  .text = {.out = out, .size_bytes = PROTO_SENTENCE_BYTES}};
    const nav_floor_facts *floor = floor_of(facts);
    out[0] = '\0';
    if (floor != NULL) {
        // A place that was asked for high above the ground is about another floor than some expect.
        const float off = floor->top - s.facts->point[1];
        const nav_config *c = s.facts->config;
        if (fabsf(off) > c->agent_height + 2 * c->cell_height) {
            proto_say(&s.text, "The nearest floor lies %s %s this point. ",
                      length_of(&s, fabsf(off)).text, off > 0 ? "above" : "below");
        }
    }
    if (facts->place.polygon != NAV_NONE) {
        say_mesh(&s);
    } else if (floor == NULL) {
        proto_say(&s.text,
                  "No triangle of the level touches this place: there is nothing to stand on.");
    } else if (floor->polygon != NAV_NONE) {
        say_left_out(&s);
    } else {
        say_verdict(&s, floor);
    }
}
