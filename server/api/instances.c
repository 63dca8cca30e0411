// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// instances.c: instances as endpoints. An update reads the body, makes the next state and places it
// over its mesh, and only then takes the place of the state that it was made from; if another one
// did so meanwhile it begins anew.

#include "server/api/routes.h"

#include "proto/base/coordinates.h"
#include "proto/replies/replies.h"
#include "server/jobs/worlds.h"
#include "server/base/clock.h"
#include "server/jobs/version_mesh.h"
#include "server/meshes/scratch.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Bytes of a body's lists, and of those of the state that it makes.
#define MEMORY_BYTES (64u << 20)

// ---- showing ----

static const char *expiry_text(const service *s, const instance_state *state,
                               char out[CLOCK_TEXT_BYTES])
{
    if (state->expires_ns == UINT64_MAX) {
        return NULL;
    }
    clock_text_at(s->started_unix_ms + (state->expires_ns - s->started_ns) / 1000000u, out);
    return out;
}

static void write_begin(const request *r, proto_writer *w, const char *name,
                        const instance_state *state, uint32_t version)
{
    char expires_at[CLOCK_TEXT_BYTES];
    const proto_instance shown = {.mesh = r->mesh,
                                  .name = name,
                                  .revision = state->revision,
                                  .version = state->version != 0 ? state->version : version,
                                  .pinned = state->version != 0,
                                  .expires_in_s = state->expires_in_s,
                                  .expires_at = expiry_text(r->service, state, expires_at)};
    proto_write_instance_begin(w, &shown);
}

static void write_misfit(proto_writer *w, const char *at, const char *detail)
{
    proto_write_object_begin(w);
    proto_member_string(w, "at", at);
    proto_member_string(w, "detail", detail);
    proto_write_object_end(w);
}

// Links that fit, but end where there is no ground.
static void write_links_off_mesh(proto_writer *w, const nav_mesh *mesh, const proto_world *placed)
{
    uint32_t count = 0;
    const uint32_t *off_mesh =
        placed->overlay != NULL ? nav_overlay_links_off_mesh(placed->overlay, &count) : NULL;
    for (uint32_t i = 0; i < count; i++) {
        char at[sizeof(nav_name) + 8];
        (void)snprintf(at, sizeof at, "links.%s", placed->links[off_mesh[i]].id);
        bool lands[2];
        char detail[160];
        const nav_link *link = &placed->links[off_mesh[i]];
        const double height = (double)nav_link_lands(mesh, link, lands);
        const nav_coordinates coordinates = nav_mesh_coordinates(mesh);
        (void)snprintf(detail, sizeof detail,
                       "%s no ground within the radius of %.7g, and up to %.7g above or below",
                       lands[0]   ? "its end finds"
                       : lands[1] ? "its start finds"
                                  : "both ends find",
                       proto_length_to_level(coordinates, (double)link->radius),
                       proto_length_to_level(coordinates, height));
        write_misfit(w, at, detail);
    }
}

// The parts that the version does not have, each with its place and why.
static nav_status write_misfits(proto_writer *w, const instance_world *world)
{
    nav_arena memory;
    nav_status status = NAV_OK;
    nav_arena_init(&memory, NULL, MEMORY_BYTES);
    proto_member_array(w, "misfits");
    for (int kind = 0; kind < PROTO_STATE_KINDS; kind++) {
        const proto_state_items *items = &world->state->content.items[kind];
        for (uint32_t i = 0; i < items->count && status != NAV_NO_MEMORY; i++) {
            nav_error why = {0};
            status = proto_state_check((proto_state_kind)kind, &items->at[i], world->mesh, &memory,
                                       &why);
            if (status == NAV_INVALID_FIELD) {
                write_misfit(w, why.at, why.detail);
            }
        }
    }
    if (world->shapes_refused) {
        write_misfit(w, proto_state_member(PROTO_STATE_OBSTACLE),
                     "they would cut the ground into too many pieces, so that none of them counts");
    }
    write_links_off_mesh(w, world->mesh, &world->placed);
    proto_write_array_end(w);
    nav_arena_free(&memory);
    return status == NAV_NO_MEMORY ? status : NAV_OK;
}

static void set_etag(reply *out, uint32_t revision)
{
    (void)snprintf(out->etag, sizeof out->etag, "\"%u\"", revision);
}

// A whole instance.
static nav_status write_instance(const request *r, proto_writer *w, const instance_world *world,
                                 nav_error *err)
{
    write_begin(r, w, r->instance, world->state, world->version);
    proto_write_state(w, &world->state->content, false);
    nav_status status = write_misfits(w, world);
    proto_write_object_end(w);
    return status == NAV_OK ? status : nav_fail(err, status, "no memory to show the instance");
}

nav_status handle_instance_get(request *r, reply *out, nav_error *err)
{
    instance_world *world = NULL;
    nav_status status = world_acquire(r->service, r->mesh, r->instance, 0, &world, err);
    NAV_IF_OK(status, write_instance(r, &out->w, world, err));
    if (status == NAV_OK) {
        set_etag(out, world->state->revision);
    }
    instance_world_release(world);
    return status;
}

// ---- the list ----

static void write_list(const request *r, proto_writer *w, instance_entry *entries, uint32_t count,
                       bool more)
{
    proto_write_object_begin(w);
    proto_member_string(w, "mesh", r->mesh);
    proto_member_array(w, "instances");
    for (uint32_t i = 0; i < count; i++) {
        write_begin(r, w, entries[i].name, entries[i].state, entries[i].version);
        proto_write_object_end(w);
    }
    proto_write_array_end(w);
    proto_member_string(w, "next", more ? entries[count - 1].name : NULL);
    proto_write_object_end(w);
}

nav_status handle_instance_list(request *r, reply *out, nav_error *err)
{
    nav_arena memory;
    store_mesh row;
    proto_instances_request asked;
    nav_arena_init(&memory, NULL, MEMORY_BYTES);
    nav_status status =
        proto_request_args(&PROTO_INSTANCES, r->args, r->arg_count, &memory, &asked, err);
    NAV_IF_OK(status, store_mesh_get(r->service->store, r->mesh, &row, err));
    instance_entry *entries =
        status == NAV_OK ? NAV_NEW(&memory, instance_entry, asked.limit) : NULL;
    if (entries != NULL) {
        bool more;
        const uint32_t count = instances_list(r->service->instances, r->mesh, asked.after,
                                              asked.limit, entries, &more);
        write_list(r, &out->w, entries, count, more);
        for (uint32_t i = 0; i < count; i++) {
            instance_state_release(entries[i].state);
        }
    } else if (status == NAV_OK) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory for a list");
    }
    nav_arena_free(&memory);
    return status;
}

// ---- updates ----

// An update from its body to its reply.
typedef struct update {
    request *r;
    bool replaces; // PUT
    nav_arena memory;
    proto_instance_request change;
    proto_state missing;
    instance_state *state; // that was made
    instance_world *world; // of that state
    uint32_t version;      // of the mesh
    bool created;
} update;

// If-Match is a revision, with or without quotes; absent or * is any. 0: any.
static nav_status read_if_match(const request *r, uint32_t *revision, nav_error *err)
{
    *revision = 0;
    if (r->if_match == NULL || strcmp(r->if_match, "*") == 0) {
        return NAV_OK;
    }
    char *end;
    const bool quoted = r->if_match[0] == '"';
    const unsigned long value = strtoul(r->if_match + quoted, &end, 10);
    const bool whole = end > r->if_match + quoted && strcmp(end, quoted ? "\"" : "") == 0 &&
                       r->if_match[quoted] >= '1' && r->if_match[quoted] <= '9';
    if (whole && value < UINT32_MAX) {
        *revision = (uint32_t)value;
        return NAV_OK;
    }
    nav_fail(err, PROTO_STALE_ETAG, "If-Match is no revision of an instance, such as \"12\" or *");
    nav_error_got(err, "%.60s", r->if_match);
    return PROTO_STALE_ETAG;
}

static nav_status check_if_match(const request *r, const instance_state *before, nav_error *err)
{
    uint32_t revision;
    nav_status status = read_if_match(r, &revision, err);
    if (status == NAV_OK && r->if_match != NULL && before == NULL) {
        return nav_fail(err, PROTO_STALE_ETAG, "there is no instance '%s' to match", r->instance);
    }
    if (status == NAV_OK && revision != 0 && revision != before->revision) {
        nav_fail(err, PROTO_STALE_ETAG,
                 "instance '%s' has revision %u; GET it, and send the change for that one",
                 r->instance, before->revision);
        nav_error_got(err, "%u", revision);
        return PROTO_STALE_ETAG;
    }
    return status;
}

// All that an update sets must be there in the version; parts that stay from before may be misfits.
static nav_status check_change(update *u, const nav_mesh *mesh, nav_error *err)
{
    for (int kind = 0; kind < PROTO_STATE_KINDS; kind++) {
        const proto_state_items *items = &u->change.state.items[kind];
        for (uint32_t i = 0; i < items->count; i++) {
            nav_status status = items->at[i].removed
                                    ? NAV_OK
                                    : proto_state_check((proto_state_kind)kind, &items->at[i], mesh,
                                                        &u->memory, err);
            if (status != NAV_OK) {
                return status;
            }
            if (kind == PROTO_STATE_LINK && !items->at[i].removed) {
                proto_link_complete(items->at[i].link, nav_mesh_coordinates(mesh));
            }
        }
    }
    return NAV_OK;
}

// Listeners hear of a PATCH as it was understood, and of a PUT with all that is there now.
static char *change_text(const update *u)
{
    proto_writer w;
    proto_writer_init(&w);
    write_begin(u->r, &w, u->r->instance, u->state, u->version);
    proto_write_state(&w, u->replaces ? &u->state->content : &u->change.state, !u->replaces);
    proto_write_object_end(&w);
    return proto_writer_take(&w, NULL);
}

static bool sets_obstacles(const update *u)
{
    const proto_state_items *obstacles = &u->change.state.items[PROTO_STATE_OBSTACLE];
    bool sets = false;
    for (uint32_t i = 0; i < obstacles->count; i++) {
        sets = sets || !obstacles->at[i].removed;
    }
    return sets;
}

static void forget_made(update *u)
{
    instance_world_release(u->world);
    instance_state_release(u->state);
    u->world = NULL;
    u->state = NULL;
}

// Puts the state that was made in place of the one before.
static nav_status swap(update *u, const instance *before, nav_mesh *mesh, bool *swapped,
                       nav_error *err)
{
    const request *r = u->r;
    char *text = NULL;
    const instance_ground ground = {.mesh = mesh,
                                    .version = u->version,
                                    .last = before->world,
                                    .scratch = scratch_of_thread(),
                                    .keeps_misfits = !sets_obstacles(u)};
    nav_status status = ground.scratch != NULL
                            ? instance_world_make(u->state, &ground, &u->world, err)
                            : nav_fail(err, NAV_NO_MEMORY, "no memory to search a mesh");
    if (status == NAV_OK && events_has_listeners(r->service->events)) {
        text = change_text(u);
        status = text != NULL ? NAV_OK : nav_fail(err, NAV_NO_MEMORY, "no memory for an event");
    }
    if (status == NAV_OK) {
        const instance_swap next = {.mesh = r->mesh,
                                    .name = r->instance,
                                    .before = before->state,
                                    .state = u->state,
                                    .world = u->world,
                                    .event = u->replaces ? "replaced" : "changed",
                                    .data_json = text};
        status = instances_swap(r->service->instances, &next, swapped, err);
        u->created = before->state == NULL;
    }
    free(text);
    return status;
}

// Updates over the mesh that the next state is to be placed over.
static nav_status update_over(update *u, const instance *before, nav_mesh *mesh, bool *swapped,
                              nav_error *err)
{
    instances *all = u->r->service->instances;
    const instance_update next = {.change = &u->change,
                                  .replaces = u->replaces,
                                  .gone_revision = instances_gone_revision(all),
                                  .now_ns = clock_now_ns(),
                                  .bytes_max = u->r->service->limits.instance_bytes};
    nav_status status = check_change(u, mesh, err);
    if (status == NAV_OK) {
        forget_made(u); // of an earlier try
        status = instance_state_make(before->state, &next, &u->memory, &u->missing, &u->state, err);
    }
    return status == NAV_OK ? swap(u, before, mesh, swapped, err) : status;
}

// The pinned version, of which a pin is held, or the live one.
static nav_status update_version(update *u, const instance *before, uint32_t version, bool *swapped,
                                 nav_error *err)
{
    nav_mesh *mesh = NULL;
    nav_status status = NAV_OK;
    if (before->world != NULL && version != 0 && before->state->version == version) {
        mesh = nav_mesh_acquire(before->world->mesh); // without a read of the store
        u->version = version;
    } else {
        status = version_mesh_acquire(u->r->service, u->r->mesh, version, &mesh, &u->version, err);
    }
    if (status == NAV_OK) {
        status = update_over(u, before, mesh, swapped, err);
        nav_mesh_release(mesh);
    }
    return status;
}

// One try, from the state that is current now.
static nav_status update_once(update *u, bool *swapped, nav_error *err)
{
    request *r = u->r;
    instance before;
    nav_status status =
        instances_acquire(r->service->instances, r->mesh, r->instance, &before, err);
    if (status == PROTO_INSTANCE_NOT_FOUND && u->replaces) {
        status = NAV_OK;
    }
    NAV_IF_OK(status, check_if_match(r, before.state, err));
    const bool keeps = !u->replaces && !u->change.has_version;
    const uint32_t version = status == NAV_OK && keeps ? before.state->version : u->change.version;
    const bool pinned = status == NAV_OK && version != 0;
    if (pinned) {
        status = pins_take(r->service->pins, r->mesh, version, err);
    }
    if (status == NAV_OK) {
        status = update_version(u, &before, version, swapped, err);
        if (pinned && !*swapped) {
            pins_release(r->service->pins, r->mesh, version);
        }
    }
    instance_release(&before);
    return status;
}

static void write_missing(proto_writer *w, const proto_state *missing)
{
    proto_member_array(w, "missing");
    for (int kind = 0; kind < PROTO_STATE_KINDS; kind++) {
        for (uint32_t i = 0; i < missing->items[kind].count; i++) {
            char at[2 * PROTO_STATE_ID_MAX];
            (void)snprintf(at, sizeof at, "%s.%.64s", proto_state_member((proto_state_kind)kind),
                           missing->items[kind].at[i].id);
            proto_write_string(w, at);
        }
    }
    proto_write_array_end(w);
}

static void reply_updated(const update *u, reply *out)
{
    request *r = u->r;
    proto_writer *w = &out->w;
    write_begin(r, w, r->instance, u->state, u->version);
    write_missing(w, &u->missing);
    // The update has taken place, so that its reply does not fail: without memory
    // the list is short.
    (void)write_misfits(w, u->world);
    proto_write_object_end(w);
    out->status = u->created ? 201 : 200;
    set_etag(out, u->state->revision);
    if (u->created) {
        (void)snprintf(out->location, sizeof out->location, "/v1/meshes/%s/instances/%s", r->mesh,
                       r->instance);
    }
}

// A mesh that was removed while an instance of it was made has no more use for it.
static nav_status check_mesh(request *r, nav_error *err)
{
    nav_mesh *mesh = NULL;
    uint32_t version;
    nav_status status = version_mesh_acquire(r->service, r->mesh, 0, &mesh, &version, err);
    nav_mesh_release(mesh);
    if (status == PROTO_MESH_NOT_FOUND) {
        instances_clear(r->service->instances, r->mesh);
        return status;
    }
    return NAV_OK;
}

// PUT and PATCH.
nav_status handle_instance_update(request *r, reply *out, nav_error *err)
{
    update u = {.r = r, .replaces = r->route->method == HTTP_PUT};
    bool swapped = false;
    nav_arena_init(&u.memory, NULL, MEMORY_BYTES);
    nav_status status =
        proto_request_json(&PROTO_INSTANCE, r->body, r->body_bytes, &u.memory, &u.change, err);
    while (status == NAV_OK && !swapped) {
        const nav_arena_mark mark = nav_arena_save(&u.memory);
        status = update_once(&u, &swapped, err);
        if (!swapped) {
            nav_arena_restore(&u.memory, mark);
        }
    }
    NAV_IF_OK(status, u.created ? check_mesh(r, err) : NAV_OK);
    if (status == NAV_OK) {
        reply_updated(&u, out);
    }
    forget_made(&u);
    nav_arena_free(&u.memory);
    return status;
}

nav_status handle_instance_delete(request *r, reply *out, nav_error *err)
{
    uint32_t revision;
    nav_status status = read_if_match(r, &revision, err);
    NAV_IF_OK(status, instances_remove(r->service->instances, r->mesh, r->instance, revision, err));
    out->status = 204;
    return status;
}

// ---- events ----

// Listens to the instance that began with a revision, in place of an earlier one of its name.
static nav_status listen_anew(request *r, uint32_t born, nav_error *err)
{
    char subject[EVENTS_SUBJECT_BYTES];
    (void)snprintf(subject, sizeof subject, "%s/%s", r->mesh, r->instance);
    events_leave(r->stream);
    r->stream = NULL;
    return events_begin(r, subject, born, err);
}

// The first event is the instance as it is now.
static nav_status open_stream(request *r, const instance_world *world, nav_error *err)
{
    proto_writer w;
    proto_writer_init(&w);
    nav_status status = write_instance(r, &w, world, err);
    char *text = proto_writer_take(&w, NULL);
    if (status == NAV_OK && text == NULL) {
        status = nav_fail(err, NAV_NO_MEMORY, "no memory to show the instance");
    }
    if (status == NAV_OK) {
        events_open(r->stream, "state", text, false);
    }
    free(text);
    return status;
}

// The newest state that a stream's listener has.
typedef struct report {
    uint32_t born;     // 0: nobody listens yet
    uint32_t revision; // 0: none
} report;

// Listens first, and sends the state when it is called again.
static nav_status report_state(request *r, report *to, nav_error *err)
{
    instance_world *world = NULL;
    nav_status status = world_acquire(r->service, r->mesh, r->instance, 0, &world, err);
    if (status != NAV_OK) {
        return status;
    }
    if (world->state->born != to->born) {
        *to = (report){.born = world->state->born};
        status = listen_anew(r, to->born, err);
    } else {
        to->revision = world->state->revision;
        status = open_stream(r, world, err);
    }
    instance_world_release(world);
    return status;
}

// Whether it has another revision than the listener, or is gone.
static bool has_changed(const request *r, uint32_t revision)
{
    instance at;
    nav_error ignored;
    (void)instances_acquire(r->service->instances, r->mesh, r->instance, &at, &ignored);
    const bool changed = at.state == NULL || at.state->revision != revision;
    instance_release(&at);
    return changed;
}

// A change that is published after the state was read, and before the stream was open, is missed:
// then the state is sent once more.
nav_status handle_instance_events(request *r, reply *out, nav_error *err)
{
    report to = {0};
    nav_status status = NAV_OK;
    while (status == NAV_OK && has_changed(r, to.revision)) {
        status = report_state(r, &to, err);
    }
    if (status == NAV_OK) {
        reply_events(out);
    }
    return status;
}
