// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// mmap.c: the frames of a tar of TrinityCore's or AzerothCore's files of one map: 530.mmap with the
// parameters, and 5303231.mmtile (530_32_31.mmtile) for each tile.

#include "proto/detour/file.h"

#define MAP_DIGITS_MAX 9u

// The files of a map that have been met.
typedef struct map_files {
    bool known, has_params;
    char map[MAP_DIGITS_MAX + 1]; // without zeros in front
} map_files;

static bool ends_in(const char *name, const char *ending)
{
    const size_t length = strlen(name), rest = strlen(ending);
    return length > rest && strcmp(name + length - rest, ending) == 0;
}

// The digits of the map at the beginning of a file's name: of a tile's all but the last four, or
// those before the underscore.
static bool read_map(const char *name, bool is_tile, char out[MAP_DIGITS_MAX + 1])
{
    size_t digits = strspn(name, "0123456789");
    if (is_tile && name[digits] != '_') {
        if (digits < 5) {
            return false;
        }
        digits -= 4;
    }
    const size_t zeros = strspn(name, "0");
    const size_t first = zeros < digits ? zeros : digits - (digits > 0);
    if (digits == 0 || digits - first > MAP_DIGITS_MAX) {
        return false;
    }
    memset(out, 0, MAP_DIGITS_MAX + 1);
    memcpy(out, name + first, digits - first);
    return true;
}

static nav_status fail_file(const detour_member *file, nav_error *err, const char *what)
{
    return nav_fail_at(err, PROTO_BAD_GEOMETRY, file->name, "%.90s %s", file->name, what);
}

static nav_status same_map(map_files *files, const detour_member *file, bool is_tile,
                           nav_error *err)
{
    char map[MAP_DIGITS_MAX + 1];
    if (!read_map(file->name, is_tile, map)) {
        return fail_file(file, err, "is not named by its map, as 530.mmap and 5303231.mmtile are");
    }
    if (files->known && strcmp(files->map, map) != 0) {
        return nav_fail_at(
            err, PROTO_BAD_GEOMETRY, file->name,
            "the archive has files of map %s and of map %s: pack those of one map, as with "
            "tar cf %s.tar *%s.mmap *%s????.mmtile",
            files->map, map, map, map, map);
    }
    memcpy(files->map, map, sizeof map);
    files->known = true;
    return NAV_OK;
}

static nav_status read_params(proto_detour *d, map_files *files, const detour_member *file,
                              nav_error *err)
{
    proto_mmap_header header = {0};
    if (files->has_params) {
        return fail_file(file, err, "is the second .mmap of its map");
    }
    files->has_params = true;
    if (file->size_bytes == sizeof d->params) {
        memcpy(&d->params, file->bytes, sizeof d->params);
        return NAV_OK;
    }
    if (file->size_bytes >= sizeof header) {
        memcpy(&header, file->bytes, sizeof header);
    }
    if (header.magic != PROTO_MMAP_MAGIC) {
        return fail_file(file, err,
                         "is no .mmap: it has neither 28 bytes nor the letters MMAP in front");
    }
    d->params = header.params;
    return NAV_OK;
}

static nav_status read_tile(proto_detour *d, const detour_member *file, nav_error *err)
{
    proto_mmtile_header header = {0};
    if (file->size_bytes >= sizeof header) {
        memcpy(&header, file->bytes, sizeof header);
    }
    if (header.magic != PROTO_MMAP_MAGIC) {
        return fail_file(file, err, "is no .mmtile: it does not begin with the letters MMAP");
    }
    if (header.detour_version != PROTO_DETOUR_VERSION) {
        return fail_file(file, err, "has tiles of another version of Detour's than 7");
    }
    size_t head_bytes = sizeof header;
    if (file->size_bytes - head_bytes == header.size_bytes + sizeof(proto_mmtile_recast)) {
        head_bytes += sizeof(proto_mmtile_recast);
    }
    if (file->size_bytes - head_bytes != header.size_bytes) {
        return fail_file(file, err, "is not as long as its header says");
    }
    return detour_add_frame(d, (size_t)(file->bytes - d->bytes) + head_bytes, header.size_bytes,
                            err);
}

nav_status detour_read_mmap(proto_detour *d, nav_error *err)
{
    map_files files = {0};
    size_t offset = 0;
    bool found = true;
    nav_status status = NAV_OK;
    while (status == NAV_OK && found) {
        detour_member file;
        status = detour_tar_next(d->bytes, d->size_bytes, &offset, &file, &found, err);
        if (status != NAV_OK || !found) {
            break;
        }
        const bool is_params = ends_in(file.name, ".mmap"), is_tile = ends_in(file.name, ".mmtile");
        // Archives of other systems carry files "._530.mmap", which are none.
        if ((!is_params && !is_tile) || file.name[0] == '.') {
            continue;
        }
        status = same_map(&files, &file, is_tile, err);
        NAV_IF_OK(status,
                  is_params ? read_params(d, &files, &file, err) : read_tile(d, &file, err));
    }
    if (status == NAV_OK && d->frame_count == 0) {
        status = nav_fail(err, NAV_MESH_EMPTY, "the archive has no .mmtile file");
    } else if (status == NAV_OK && !files.has_params) {
        status = nav_fail(err, PROTO_BAD_GEOMETRY,
                          "the archive has tiles, but no .mmap file with their parameters");
    }
    return status;
}
