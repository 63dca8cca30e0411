// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mesh_parts.c: a mesh of several files. Each part of a version is stored with a stamp, which says
// its file, when that was changed, and where the part stands. A part whose stamp is that of the
// live version is not read again: its triangles are taken from the version's geometry.

#include "server/app/mesh_file.h"

#include "server/base/clock.h"
#include "server/base/file.h"
#include "server/base/log.h"
#include "server/meshes/load.h"
#include "server/store/store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// A file that was changed so shortly before it was read may change once more without a new time.
#define SETTLED_MS 1000

// ---- stamps ----

static void add_time(nav_sha256 *hash, const struct timespec *at)
{
    const int64_t numbers[] = {at->tv_sec, at->tv_nsec};
    nav_sha256_add(hash, numbers, sizeof numbers);
}

// Leaves the stamp of a file that may be changing empty.
static void stamp_part(const option_part *part, nav_coordinates coordinates,
                       const struct stat *info, proto_geometry_part *out)
{
    out->stamp[0] = '\0';
    const int64_t changed_ms =
        (int64_t)info->st_ctim.tv_sec * 1000 + info->st_ctim.tv_nsec / 1000000;
    if (changed_ms + SETTLED_MS > (int64_t)clock_unix_ms()) {
        return;
    }
    const proto_placement *at = &part->is.placement;
    const int64_t file[] = {(int64_t)info->st_dev, (int64_t)info->st_ino, (int64_t)info->st_size};
    const float place[] = {at->scale,        (float)at->by_degrees, at->degrees,   at->rotate[0],
                           at->rotate[1],    at->rotate[2],         at->rotate[3], at->translate[0],
                           at->translate[1], at->translate[2]};
    uint8_t digest[32];
    char hex[65];
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, part->file, strlen(part->file) + 1);
    nav_sha256_add(&hash, file, sizeof file);
    add_time(&hash, &info->st_mtim);
    add_time(&hash, &info->st_ctim);
    nav_sha256_add(&hash, place, sizeof place);
    // Degrees are about the level's upward axis, which settings change.
    nav_sha256_add(&hash, coordinates.axes, sizeof coordinates.axes);
    nav_sha256_end(&hash, digest);
    nav_sha256_hex(digest, hex);
    memcpy(out->stamp, hex, sizeof out->stamp - 1);
    out->stamp[sizeof out->stamp - 1] = '\0';
}

// ---- the live version's parts ----

typedef struct earlier {
    service *service;
    uint32_t version; // 0: there is none, or it has no parts
    proto_geometry_part *parts;
    uint32_t count;
    bool tried;                    // to read its geometry
    proto_geometry_reader *reader; // NULL: it could not be read
    nav_geometry geometry;
} earlier;

// Without such a version, or where it is damaged, all parts are read.
static void find_earlier(service *s, const char *name, earlier *e)
{
    store_mesh mesh;
    store_version row;
    *e = (earlier){.service = s};
    if (s->store == NULL || store_mesh_get(s->store, name, &mesh, NULL) != NAV_OK ||
        mesh.active == 0 || store_version_get(s->store, name, mesh.active, &row, NULL) != NAV_OK) {
        return;
    }
    if (row.geometry_json != NULL &&
        proto_parts_read_list(row.geometry_json, &e->parts, &e->count, NULL) == NAV_OK &&
        e->count > 0) {
        e->version = mesh.active;
    }
    store_version_free(&row);
}

// The geometry is read once a part of it is wanted.
static bool read_earlier(earlier *e, const char *name)
{
    if (!e->tried) {
        e->tried = true;
        if (load_geometry(e->service->store, name, e->version, NULL, &e->reader, &e->geometry,
                          NULL) != NAV_OK) {
            e->reader = NULL;
        }
    }
    return e->reader != NULL;
}

// Takes a part from the live version if it has not changed. *kept: it was taken.
static nav_status keep(earlier *e, const option_mesh *mesh, const proto_geometry_part *part,
                       proto_parts *out, bool *kept, nav_error *err)
{
    uint32_t first_vertex = 0, first_triangle = 0, i = 0;
    *kept = false;
    while (i < e->count && strcmp(e->parts[i].name, part->name) != 0) {
        first_vertex += e->parts[i].vertex_count;
        first_triangle += e->parts[i].triangle_count;
        i++;
    }
    if (i == e->count || part->stamp[0] == '\0' || strcmp(e->parts[i].stamp, part->stamp) != 0 ||
        !read_earlier(e, mesh->name)) {
        return NAV_OK;
    }
    *kept = true;
    return proto_parts_keep(out, &e->parts[i], &e->geometry, first_vertex, first_triangle, err);
}

// ---- all parts ----

static nav_status feed_part(void *user, const void *bytes, size_t size_bytes, nav_error *err)
{
    return proto_parts_feed(user, bytes, size_bytes, err);
}

static nav_status read_part(const option_part *part, nav_coordinates coordinates, earlier *e,
                            const option_mesh *mesh, proto_parts *out, bool *kept, nav_error *err)
{
    int fd;
    struct stat info;
    nav_error why = {0};
    proto_geometry_part is = part->is;
    *kept = false;
    if (file_open(part->file, &fd, &info, &why) != NAV_OK) {
        return nav_fail(err, why.status, "%.100s cannot be read: %.120s", part->file, why.detail);
    }
    stamp_part(part, coordinates, &info, &is);
    nav_status status = keep(e, mesh, &is, out, kept, err);
    if (status == NAV_OK && !*kept) {
        status = proto_parts_begin(out, &is, proto_format_of_file(part->file), err);
        NAV_IF_OK(status, file_feed(fd, feed_part, out, err));
        NAV_IF_OK(status, proto_parts_end(out, err));
    }
    (void)close(fd);
    return status;
}

nav_status mesh_parts_read(service *s, const option_mesh *mesh, nav_coordinates coordinates,
                           proto_parts *out, nav_error *err)
{
    earlier e;
    size_t read = 0;
    nav_status status = NAV_OK;
    find_earlier(s, mesh->name, &e);
    for (size_t i = 0; status == NAV_OK && i < mesh->part_count; i++) {
        bool kept;
        status = read_part(&mesh->parts[i], coordinates, &e, mesh, out, &kept, err);
        read += kept ? 0 : 1;
    }
    proto_geometry_destroy(e.reader);
    free(e.parts);
    if (status == NAV_OK && s->store != NULL) {
        log_info("mesh_parts", "mesh=%s parts=%zu read=%zu", mesh->name, mesh->part_count, read);
    }
    return status;
}
