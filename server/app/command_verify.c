// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// command_verify.c: `navmeshd verify`: everything in the database looked through once.
//
//   the file, its references, what must always hold     store_faults_each
//   blobs, geometries: unpacked, and hashed             store_blocks_each
//   landmarks: unpacked, and their checksum             store_landmarks_each
//   recordings: unpacked, hashed, read                  store_recordings_each
//   versions: their tiles give the name they have       store_ready_each

#include "server/app/command.h"

#include "server/base/pack.h"
#include "server/app/sandbox.h"
#include "server/recordings/bundle.h"
#include "server/store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct check {
    uint64_t faults, blocks[2], versions; // blocks: of blobs and geometries
    bool geometries;
    bool no_memory;      // to look at all of it
    store_tile *damaged; // their hashes and places, told once all of a kind have been looked at
    size_t damaged_count;
} check;

static void tell(void *user, const char *text)
{
    ((check *)user)->faults++;
    (void)printf("%s\n", text);
}

static void look_at(void *user, const store_tile *block)
{
    check *c = user;
    const nav_status status =
        pack_check_alone(block->packed, block->packed_bytes, block->bytes, block->hash);
    c->blocks[c->geometries]++;
    c->no_memory = c->no_memory || status == NAV_NO_MEMORY;
    if (status == PROTO_BAD_ZSTD) {
        store_tile *more = realloc(c->damaged, (c->damaged_count + 1) * sizeof *more);
        c->no_memory = c->no_memory || more == NULL;
        if (more != NULL) {
            c->damaged = more;
            c->damaged[c->damaged_count++] = *block;
        }
    }
}

// The owners of damaged blocks are looked up after the walk over all blocks.
static nav_status look_at_blocks(store *disk, bool geometries, check *c, nav_error *err)
{
    NAV_ASSERT(c->damaged == NULL && c->damaged_count == 0);
    c->geometries = geometries;
    nav_status status = store_blocks_each(disk, geometries, look_at, c, err);
    for (size_t i = 0; i < c->damaged_count; i++) {
        char hex[65], whose[160], text[320];
        nav_error ignored;
        nav_sha256_hex(c->damaged[i].hash, hex);
        (void)store_block_owners(disk, &c->damaged[i], whose, sizeof whose, &ignored);
        // Tiles that cannot be read are baked to another place; of a geometry there is no other.
        const bool stuck = geometries && c->damaged[i].packed_bytes == 0;
        (void)snprintf(text, sizeof text, "%s %s is damaged%s: %s",
                       geometries ? "geometry" : "blob", hex,
                       stuck ? " and cannot be written anew, restore a backup" : "", whose);
        tell(c, text);
    }
    free(c->damaged);
    c->damaged = NULL;
    c->damaged_count = 0;
    return status;
}

static bool are_damaged(check *c, const store_landmarks *landmarks)
{
    void *bytes = NULL;
    const nav_status status = pack_decompress(landmarks->packed, landmarks->packed_bytes,
                                              (size_t)landmarks->bytes, &bytes, NULL);
    const nav_blob blob = {.bytes = bytes, .size_bytes = (size_t)landmarks->bytes};
    c->no_memory = c->no_memory || status == NAV_NO_MEMORY;
    const bool damaged =
        status == PROTO_BAD_ZSTD || (status == NAV_OK && !nav_landmarks_are_whole(blob));
    free(bytes);
    return damaged;
}

static void look_at_landmarks(void *user, const char *mesh, uint32_t version,
                              const store_landmarks *landmarks)
{
    if (are_damaged(user, landmarks)) {
        char text[256];
        (void)snprintf(text, sizeof text, "mesh %s version %u: its landmarks are damaged", mesh,
                       version);
        tell(user, text);
    }
}

static void look_at_recording(void *user, const char *id, const void *bytes, size_t size_bytes)
{
    check *c = user;
    bundle_file file;
    nav_error why = {0};
    const nav_status status = bundle_read(bytes, size_bytes, &file, &why);
    c->no_memory = c->no_memory || status == NAV_NO_MEMORY;
    if (status == NAV_OK) {
        bundle_free(&file);
    } else if (status == PROTO_BAD_BUNDLE) {
        char text[384];
        (void)snprintf(text, sizeof text, "recording %.64s is damaged: %s", id, why.detail);
        tell(c, text);
    }
}

// Compares the name that the version gives its tiles with the tiles.
static void look_at_version(void *user, const char *mesh, uint32_t version, const char *named_json,
                            const store_tile *tiles, size_t count)
{
    check *c = user;
    uint8_t name[32];
    char hex[65], text[256];
    store_tiles_name(tiles, count, name);
    nav_sha256_hex(name, hex);
    if (strstr(named_json, hex) == NULL) {
        (void)snprintf(text, sizeof text, "mesh %s version %u: its tiles are not the ones it names",
                       mesh, version);
        tell(c, text);
    }
    c->versions += count == 0 || tiles[0].agent == 0; // its further agents are looked at, too
}

// Each part is verified even if another cannot be read. The first error counts.
static nav_status verify(store *disk, check *c, nav_error *err)
{
    nav_error why[6] = {0};
    nav_status statuses[6];
    statuses[0] = store_faults_each(disk, tell, c, &why[0]);
    statuses[1] = look_at_blocks(disk, false, c, &why[1]);
    statuses[2] = look_at_blocks(disk, true, c, &why[2]);
    statuses[3] = store_landmarks_each(disk, look_at_landmarks, c, &why[3]);
    statuses[4] = store_recordings_each(disk, look_at_recording, c, &why[4]);
    statuses[5] = store_ready_each(disk, look_at_version, c, &why[5]);
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++) {
        if (statuses[i] != NAV_OK) {
            *err = why[i];
            return statuses[i];
        }
    }
    return c->no_memory ? nav_fail(err, NAV_NO_MEMORY, "no memory to look at all of it") : NAV_OK;
}

int command_verify(const options *o)
{
    nav_error err = {0};
    store *disk = NULL;
    check c = {0};
    sandbox_enter_command(o, NULL, 0);
    nav_status status = store_open_to_read(o->db, &disk, &err);
    NAV_IF_OK(status, verify(disk, &c, &err));
    store_close(disk);
    if (c.faults > 0) {
        (void)fprintf(stderr,
                      "navmeshd: the database is damaged. A daemon that starts makes whole what "
                      "geometry and settings give; of the rest, a level that is uploaded again "
                      "does; what stays is to be deleted, or a backup restored\n");
    }
    if (status != NAV_OK) {
        return command_fail(&err);
    }
    if (c.faults == 0) {
        (void)printf("ok: %llu version%s, %llu blob%s, %llu geometr%s\n",
                     (unsigned long long)c.versions, c.versions == 1 ? "" : "s",
                     (unsigned long long)c.blocks[0], c.blocks[0] == 1 ? "" : "s",
                     (unsigned long long)c.blocks[1], c.blocks[1] == 1 ? "y" : "ies");
    }
    return c.faults == 0 ? COMMAND_DONE : COMMAND_FAILED;
}
