// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// coordinates.c: the settings that say what the level's numbers mean:
//
//   "coordinates":"unreal" or {"axes":["x","-z","y"],"scale":0.01}, "scale":0.01,
//   "winding":"reverse"
//
// They are read first, since all that lies somewhere in the level is read by them. `scale` on its
// own goes before the one that comes with `coordinates`, and an argument before the text.

#include "proto/base/coordinates.h"
#include "proto/base/suggest.h"
#include "proto/settings/settings.h"

#include <stdio.h>
#include <string.h>

#define AXES_EXPECTED                                                                              \
    "where the level's x, y and z point to: \"x\", \"-x\", \"y\" (up), \"-y\", \"z\" or \"-z\", "  \
    "each letter once, as [\"x\",\"-z\",\"y\"]"

// "x" to "-z"; 0: none of them.
static int8_t axis_of(const proto_item *item)
{
    for (int8_t axis = -3; axis <= 3; axis++) {
        if (axis != 0 && proto_item_is_word(item, proto_axis_word(axis))) {
            return axis;
        }
    }
    return 0;
}

static nav_status read_axes(const proto_value *v)
{
    proto_sent_coordinates *sent = v->target;
    uint32_t count = 0, taken = 0;
    proto_item element;
    bool more = v->item->kind == PROTO_TOKEN_LIST && proto_item_first(v->item, &element);
    for (; more; more = proto_item_next(&element)) {
        const int8_t axis = axis_of(&element);
        const uint32_t bit = 1u << (axis < 0 ? -axis : axis);
        if (axis == 0 || count == 3 || (taken & bit) != 0) {
            proto_value_invalid(v, AXES_EXPECTED);
            nav_error_at(v->err, "%s%s[%u]", v->prefix, v->field->name, count);
            proto_item_got(v->err, &element);
            return NAV_INVALID_FIELD;
        }
        taken |= bit;
        sent->axes[count++] = axis;
    }
    return count == 3 ? NAV_OK : proto_value_invalid(v, AXES_EXPECTED);
}

static const proto_field OBJECT_ROWS[] = {
    {PROTO_ROW(READ, proto_sent_coordinates, axes), .read = read_axes, .required = true},
    {PROTO_ROW_AT(DOUBLE, "scale", offsetof(proto_sent_coordinates, own_scale)),
     .min = NAV_SCALE_MIN, .max = NAV_SCALE_MAX},
};

nav_status proto_read_coordinates(const proto_value *v)
{
    proto_sent_coordinates *sent = proto_value_at(v);
    sent->has_axes = true;
    sent->own_scale = 1.0;
    if (v->item->kind == PROTO_TOKEN_OBJECT) {
        return proto_fields_read_item(PROTO_ROWS(OBJECT_ROWS), v->item, "coordinates.", sent, NULL,
                                      v->err);
    }
    for (uint32_t i = 0; proto_preset_at(i) != NULL; i++) {
        const proto_preset *preset = proto_preset_at(i);
        if (proto_item_is_word(v->item, preset->word)) {
            memcpy(sent->axes, preset->axes, sizeof sent->axes);
            sent->own_scale = preset->scale;
            return NAV_OK;
        }
    }
    char expected[160] = "one of ";
    proto_suggestion meant = proto_suggest(v->item->text, v->item->text_bytes);
    for (uint32_t i = 0; proto_preset_at(i) != NULL; i++) {
        const size_t length = strlen(expected);
        const char *word = proto_preset_at(i)->word;
        (void)snprintf(expected + length, sizeof expected - length, "\"%s\", ", word);
        proto_suggest_offer(&meant, word, strlen(word));
    }
    const size_t length = strlen(expected);
    (void)snprintf(expected + length, sizeof expected - length,
                   "or as {\"axes\":[\"x\",\"-z\",\"y\"],\"scale\":0.01}");
    const nav_status status = proto_value_invalid(v, expected);
    if (v->item->kind == PROTO_TOKEN_STRING) {
        proto_suggest_say(&meant, v->err);
    }
    return status;
}

nav_coordinates proto_settings_coordinates(nav_coordinates base, const proto_sent_coordinates *text,
                                           const proto_sent_coordinates *arguments)
{
    const proto_sent_coordinates *axes = arguments->has_axes ? arguments : text;
    // A unit that comes with the argument's axes goes before the text's as well.
    const bool has_unit = arguments->has_axes && arguments->own_scale != 1.0;
    const double scale = arguments->scale > 0.0 || has_unit ? arguments->scale : text->scale;
    const unsigned winding =
        arguments->winding != PROTO_WINDING_UNSAID ? arguments->winding : text->winding;
    if (axes->has_axes) {
        memcpy(base.axes, axes->axes, sizeof base.axes);
        base.scale = axes->own_scale;
    }
    base.scale = scale > 0.0 ? scale : base.scale;
    base.reversed =
        winding == PROTO_WINDING_UNSAID ? base.reversed : winding == PROTO_WINDING_REVERSE;
    return base;
}

// ---- back to text ----

static void write_double(proto_writer *w, double number)
{
    char text[PROTO_NUMBER_TEXT_BYTES];
    proto_number_text(number, text);
    proto_write_raw(w, text);
}

void proto_settings_write_coordinates(proto_writer *w, const nav_config *config)
{
    const nav_coordinates coordinates = config->coordinates;
    const proto_preset *preset = proto_preset_of(coordinates);
    if (preset != NULL) {
        proto_write_string(w, preset->word);
        return;
    }
    proto_write_object_begin(w);
    proto_member_array(w, "axes");
    for (int axis = 0; axis < 3; axis++) {
        proto_write_string(w, proto_axis_word(coordinates.axes[axis]));
    }
    proto_write_array_end(w);
    proto_write_key(w, "scale");
    write_double(w, coordinates.scale);
    proto_write_object_end(w);
}

void proto_settings_write_scale(proto_writer *w, const nav_config *config)
{
    write_double(w, config->coordinates.scale);
}

void proto_settings_write_winding(proto_writer *w, const nav_config *config)
{
    proto_write_string(w, config->coordinates.reversed ? "reverse" : "as_given");
}

bool proto_settings_scale_is_known(nav_coordinates coordinates)
{
    const proto_preset *preset = proto_preset_of(coordinates);
    return preset == NULL || preset->scale == coordinates.scale;
}
