// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// sanity.c: what is odd about a level, in sentences: what was seen, beside what is usual, and the
// setting that would change it.

#include "proto/settings/sanity.h"

#include "proto/base/coordinates.h"
#include "proto/base/suggest.h"

#include <stdio.h>
#include <string.h>

const char *const PROTO_ODDITY_WORDS[] = {
#define X(name, word) [name] = word,
    PROTO_ODDITY_TABLE(X)
#undef X
        [PROTO_ODD_COUNT] = NULL};

// ---- units ----

static double in_level(const proto_level *level, double length)
{
    return proto_length_to_level(level->config->coordinates, length);
}

// A length of the mesh in the level's unit, to three digits, and without an exponent where it is
// large.
static const char *length_text(const proto_level *level, float length, char out[24])
{
    const double own = in_level(level, (double)length);
    (void)snprintf(out, 24, own < 999.5 ? "%.3g" : "%.0f", own);
    return out;
}

// Writes what has been seen, in the level's unit.
static void say_size(const proto_level *level, char seen[160])
{
    const nav_sanity *found = &level->found;
    const nav_config *config = level->config;
    char size[24], own[24];
    length_text(level, config->agent_height, own);
    if (found->step > 0) {
        (void)snprintf(seen, 160,
                       "most steps and walls are %s or higher for an agent that climbs %s",
                       length_text(level, found->step, size),
                       length_text(level, config->agent_max_climb, own));
    } else if (found->gap > 0) {
        (void)snprintf(seen, 160, "most ground has %s of room above it for an agent %s high",
                       length_text(level, found->gap, size), own);
    } else if (found->edge > 0) {
        (void)snprintf(seen, 160, "most triangles have sides of %s or more for an agent %s high",
                       length_text(level, found->edge, size), own);
    } else {
        (void)snprintf(seen, 160, "the agent is %s high", own);
    }
}

static void say_units(const proto_level *level, proto_advice *out)
{
    const double scale = level->config->coordinates.scale * level->found.scale;
    char seen[160];
    say_size(level, seen);
    (void)snprintf(out->suggest, sizeof out->suggest, "scale=%.6g", scale);
    (void)snprintf(out->detail, sizeof out->detail, "the level is %.6g wide, and %.130s: %s? %.30s",
                   in_level(level, (double)level->found.width), seen,
                   scale == 0.01    ? "centimetres"
                   : scale == 0.001 ? "millimetres"
                                    : "another unit",
                   out->suggest);
}

// ---- axis ----

// The level's axis along which one of the mesh lies, counted as nav_sanity.up is.
static int level_axis(nav_coordinates coordinates, int up)
{
    NAV_ASSERT(up != 0 && up >= -3 && up <= 3);
    float direction[3];
    for (int axis = 0; axis < 3; axis++) {
        direction[axis] = up == axis + 1 ? 1.0f : up == -axis - 1 ? -1.0f : 0.0f;
    }
    proto_direction_to_level(coordinates, direction);
    for (int axis = 0; axis < 3; axis++) {
        if (direction[axis] != 0.0f) {
            return direction[axis] < 0.0f ? -(axis + 1) : axis + 1;
        }
    }
    NAV_ASSERT(false); // the axes of the one are those of the other
    return up;
}

static const char *other_winding(const proto_level *level)
{
    return level->config->coordinates.reversed ? "winding=as_given" : "winding=reverse";
}

// Coordinates of those axes, in the unit that the settings have.
static void suggest_axes(const int8_t axes[3], double scale, char out[64])
{
    nav_coordinates cure = {.scale = scale};
    memcpy(cure.axes, axes, sizeof cure.axes);
    const proto_preset *preset = proto_preset_of(cure);
    if (preset != NULL && preset->scale == scale) {
        (void)snprintf(out, 64, "coordinates=%s", preset->word);
        return;
    }
    char unit[32] = "";
    if (scale != 1.0) {
        (void)snprintf(unit, sizeof unit, ",\"scale\":%.9g", scale);
    }
    (void)snprintf(out, 64, "coordinates={\"axes\":[\"%s\",\"%s\",\"%s\"]%s}",
                   proto_axis_word(axes[0]), proto_axis_word(axes[1]), proto_axis_word(axes[2]),
                   unit);
}

static void say_axis(const proto_level *level, proto_advice *out)
{
    // By the level's axis that goes up.
    static const int8_t cures[3][3] = {{2, 3, 1}, {1, 2, 3}, {1, -3, 2}};
    const nav_sanity *found = &level->found;
    const nav_coordinates coordinates = level->config->coordinates;
    const int up = level_axis(coordinates, found->up);
    const unsigned axis = (up < 0 ? (unsigned)-up : (unsigned)up) - 1;
    // A level that faces both ways has a ceiling, or an underside: up is then the positive one.
    const bool is_negative = up < 0 && found->up_is_sided;
    NAV_ASSERT(axis < 3);
    suggest_axes(cures[axis], coordinates.scale, out->suggest);
    const char *joint = is_negative ? ", and " : "";
    const char *winding = is_negative ? other_winding(level) : "";
    (void)snprintf(out->detail, sizeof out->detail, "%.0f %% of what is flat faces %c%c: %s%s%s?",
                   (double)found->up_share * 100, is_negative ? '-' : '+', "XYZ"[axis],
                   out -> suggest, joint, winding);
}

// ---- winding, materials, agents ----

static void say_winding(const proto_level *level, proto_advice *out)
{
    (void)snprintf(out->suggest, sizeof out->suggest, "%s", other_winding(level));
    (void)snprintf(
        out->detail, sizeof out->detail,
        "floors face down: of the ground %.0f %% faces up: %.30s, or is this the outside "
        "of a ceiling?",
        (double)level->found.ground_up * 100, out->suggest);
}

// A name that is like a listed one may be a slip.
static void say_materials(const proto_level *level, proto_advice *out)
{
    const nav_config *config = level->config;
    const char *name = level->geometry->material_names[level->found.material];
    proto_suggestion meant = proto_suggest(name, strlen(name));
    char hint[PROTO_HINT_BYTES];
    for (uint32_t i = 0; i < config->material_count; i++) {
        const char *listed = config->materials[i].name;
        proto_suggest_offer(&meant, listed, strlen(listed));
    }
    for (uint32_t i = NAV_AREA_GROUND + 1; config->areas != NULL && i < config->area_count; i++) {
        const char *area = config->areas[i].name;
        proto_suggest_offer(&meant, area, strlen(area));
    }
    out->suggest[0] = '\0';
    (void)snprintf(
        out->detail, sizeof out->detail,
        "%u of %u materials are in no list and become ground, \"%.47s\" first: name them "
        "in materials%s",
        level->found.materials, level->geometry->material_count, name,
        proto_suggest_hint(&meant, hint));
}

static void say_agent(const proto_level *level, proto_advice *out)
{
    const uint32_t number = level->found.low_agent - 1;
    const nav_config own = nav_config_of_agent(level->config, number);
    const char *name = number > 0 ? level->config->agents[number - 1].name : "default";
    const double height = (double)own.agent_height;
    out->suggest[0] = '\0';
    if (number == 0) {
        (void)snprintf(out->suggest, sizeof out->suggest, "agent.max_climb=%.6g", height);
    }
    (void)snprintf(
        out->detail, sizeof out->detail,
        "the agent \"%.47s\" is %.6g high and climbs %.6g, over what hides it: lower its "
        "max_climb",
        name, height, (double)own.agent_max_climb);
}

// ---- all of them ----

bool proto_level_say(const proto_level *level, proto_oddity odd, proto_advice *out)
{
    const nav_sanity *found = &level->found;
    const struct {
        bool is_odd;
        void (*say)(const proto_level *level, proto_advice *out);
    } rows[PROTO_ODD_COUNT] = {[PROTO_ODD_UNITS] = {found->scale < 1, say_units},
                               [PROTO_ODD_AXIS] = {found->up != 2, say_axis},
                               [PROTO_ODD_WINDING] = {found->is_reversed, say_winding},
                               [PROTO_ODD_MATERIALS] = {found->materials > 0, say_materials},
                               [PROTO_ODD_AGENT] = {found->low_agent > 0, say_agent}};
    NAV_ASSERT((unsigned)odd < PROTO_ODD_COUNT);
    const bool is_odd = level->geometry != NULL && rows[odd].is_odd;
    if (is_odd) {
        rows[odd].say(level, out);
    }
    return is_odd;
}

static void write_number(proto_writer *w, const char *name, double value)
{
    if (value > 0) {
        proto_write_object_begin(w);
        proto_member_fixed(w, "value", value, 3);
        proto_member_string(w, "name", name);
        proto_write_object_end(w);
    }
}

// The numbers that show it, each by its name.
static void write_numbers(proto_writer *w, const proto_level *level, proto_oddity odd)
{
    const nav_sanity *found = &level->found;
    proto_write_array_begin(w);
    switch (odd) {
    case PROTO_ODD_UNITS:
        write_number(w, "width", in_level(level, (double)found->width));
        write_number(w, "step", in_level(level, (double)found->step));
        write_number(w, "room", in_level(level, (double)found->gap));
        write_number(w, "edge", in_level(level, (double)found->edge));
        write_number(w, "bake_ms", found->bake_ms);
        break;
    case PROTO_ODD_AXIS:
        write_number(w, "share", (double)found->up_share);
        break;
    case PROTO_ODD_WINDING:
        write_number(w, "share", 1.0 - (double)found->ground_up);
        break;
    case PROTO_ODD_MATERIALS:
        proto_write_object_begin(w);
        proto_member_string(w, "name", level->geometry->material_names[found->material]);
        proto_write_object_end(w);
        break;
    default:
        NAV_ASSERT(odd == PROTO_ODD_AGENT);
        write_number(w, "height",
                     (double)nav_config_of_agent(level->config, found->low_agent - 1).agent_height);
    }
    proto_write_array_end(w);
}

void proto_write_oddities(proto_writer *w, const proto_level *level)
{
    for (int odd = 0; odd < PROTO_ODD_COUNT; odd++) {
        proto_advice advice;
        if (!proto_level_say(level, (proto_oddity)odd, &advice)) {
            continue;
        }
        proto_write_object_begin(w);
        proto_member_string(w, "code", PROTO_ODDITY_WORDS[odd]);
        proto_member_int(w, "count", odd == PROTO_ODD_MATERIALS ? level->found.materials : 1);
        proto_write_key(w, "items");
        write_numbers(w, level, (proto_oddity)odd);
        proto_member_string(w, "detail", advice.detail);
        if (advice.suggest[0] != '\0') {
            proto_member_string(w, "suggest", advice.suggest);
        }
        proto_write_object_end(w);
    }
}

nav_status proto_level_check(const proto_level *level, bool too_large, uint32_t accepted,
                             nav_error *err)
{
    proto_advice advice;
    const bool refused = level->found.is_too_large || (too_large && level->found.scale < 1);
    if (!refused || (accepted >> PROTO_ODD_UNITS & 1) != 0 ||
        !proto_level_say(level, PROTO_ODD_UNITS, &advice)) {
        return NAV_OK;
    }
    nav_fail_at(err, PROTO_UNITS_SUSPECT, "scale",
                "%.170s; its bake would take minutes (accept=%s bakes it)", advice.detail,
                PROTO_ODDITY_WORDS[PROTO_ODD_UNITS]);
    nav_error_got(err, "%.6g", level->config->coordinates.scale);
    nav_error_suggest(err, "%s", advice.suggest);
    return PROTO_UNITS_SUSPECT;
}
