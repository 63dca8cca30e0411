// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instances.c: an instance with its state, a change of it, and whether a path still holds in it.

#include "proto/replies/reply.h"

#include <math.h>

static void write_outline(proto_writer *w, const proto_avoid *shape)
{
    proto_member_array(w, "points");
    for (uint32_t i = 0; i < shape->point_count; i++) {
        proto_write_array_begin(w);
        proto_write_float(w, shape->points[i][0]);
        proto_write_float(w, shape->points[i][1]);
        proto_write_array_end(w);
    }
    proto_write_array_end(w);
    if (isfinite(shape->min_y)) {
        proto_write_sent_number(w, "min_y", shape->min_y);
    }
    if (isfinite(shape->max_y)) {
        proto_write_sent_number(w, "max_y", shape->max_y);
    }
}

static void write_round(proto_writer *w, const proto_avoid *shape)
{
    proto_write_sent_number(w, "radius", shape->radius);
    if (shape->has_height) {
        proto_write_sent_number(w, "height", shape->height);
    }
}

// As it was sent: numbers that read back as the same floats, in the level's coordinates.
static void write_shape(proto_writer *w, const proto_avoid *shape)
{
    proto_write_object_begin(w);
    proto_member_string(w, "shape", proto_shape_word(shape->shape));
    switch ((nav_avoid_shape)shape->shape) {
    case NAV_AVOID_CIRCLE:
        proto_write_sent_point(w, "center", shape->center);
        write_round(w, shape);
        break;
    case NAV_AVOID_CAPSULE:
        proto_write_sent_point(w, "start", shape->start);
        proto_write_sent_point(w, "end", shape->end);
        write_round(w, shape);
        break;
    case NAV_AVOID_BOX:
        proto_write_sent_point(w, "min", shape->min);
        proto_write_sent_point(w, "max", shape->max);
        if (shape->yaw != 0.0f) {
            proto_write_sent_number(w, "yaw", shape->yaw);
        }
        break;
    case NAV_AVOID_CONVEX:
        write_outline(w, shape);
        break;
    }
    if (shape->blocked) {
        proto_member_bool(w, "blocked", true);
    } else {
        proto_write_sent_number(w, "cost", shape->cost);
    }
    proto_write_object_end(w);
}

// As it was sent, with what was left out.
static void write_link(proto_writer *w, const proto_link *link)
{
    proto_write_object_begin(w);
    proto_write_sent_point(w, "start", link->start);
    proto_write_sent_point(w, "end", link->end);
    proto_write_sent_number(w, "radius", link->radius);
    proto_member_bool(w, "bidirectional", link->bidirectional);
    proto_member_string(w, "area", link->area);
    proto_member_array(w, "flags");
    for (uint32_t i = 0; i < link->flag_count; i++) {
        proto_write_string(w, link->flags[i]);
    }
    proto_write_array_end(w);
    if (link->has_cost) {
        proto_write_sent_number(w, "cost", link->cost);
    }
    proto_write_object_end(w);
}

static void write_item(proto_writer *w, proto_state_kind kind, const proto_state_item *item)
{
    proto_write_key(w, item->id);
    if (item->removed) {
        proto_write_null(w);
    } else if (kind == PROTO_STATE_SWITCH) {
        proto_write_string(w, item->closed ? "closed" : "open");
    } else if (kind == PROTO_STATE_OBSTACLE) {
        write_shape(w, item->shape);
    } else if (kind == PROTO_STATE_LINK) {
        write_link(w, item->link);
    } else {
        NAV_ASSERT(kind == PROTO_STATE_AREA_COST);
        proto_write_float(w, item->cost);
    }
}

void proto_write_state(proto_writer *w, const proto_state *state, bool is_change)
{
    for (int kind = 0; kind < PROTO_STATE_KINDS; kind++) {
        const proto_state_items *items = &state->items[kind];
        if (is_change && items->count == 0) {
            continue;
        }
        proto_member_object(w, proto_state_member((proto_state_kind)kind));
        for (uint32_t i = 0; i < items->count; i++) {
            write_item(w, (proto_state_kind)kind, &items->at[i]);
        }
        proto_write_object_end(w);
    }
}

void proto_write_instance_begin(proto_writer *w, const proto_instance *instance)
{
    proto_write_object_begin(w);
    proto_member_string(w, "mesh", instance->mesh);
    proto_member_index(w, "version", instance->version != 0 ? instance->version : NAV_NONE);
    proto_member_string(w, "instance", instance->name);
    proto_member_int(w, "revision", instance->revision);
    proto_member_bool(w, "pinned", instance->pinned);
    proto_member_fixed(w, "expires_in_s",
                       instance->expires_in_s > 0.0 ? instance->expires_in_s : PROTO_NO_NUMBER, 3);
    proto_member_string(w, "expires_at", instance->expires_at);
}

// `changed`: other ground may lie there than when the path was found; null where the question does
// not say when that was.
void proto_write_valid(proto_writer *w, const proto_answer_head *head,
                       const proto_valid_request *asked, const nav_trace *trace)
{
    const bool valid = trace->reason == NAV_TRACE_LEGAL;
    NAV_ASSERT(valid || trace->step < asked->points.count);
    proto_write_answer_begin(w, head);
    proto_member_bool(w, "valid", valid);
    if (asked->revision != 0) {
        proto_member_bool(w, "changed", asked->revision != head->revision);
    } else {
        proto_write_key(w, "changed");
        proto_write_null(w);
    }
    proto_member_index(w, "step", valid ? NAV_NONE : trace->step);
    proto_write_point_if(w, "position", !valid, trace->position);
    proto_member_string(w, "reason", nav_trace_reason_word(trace->reason));
    proto_write_object_end(w);
}
