// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store.h: what survives the process: one SQLite file with meshes, versions, geometries and tiles.
// Only this folder knows sqlite3. Blocks go in and come out packed; it never unpacks them. Data
// that several versions have is stored once, and goes with the last of them.
//
// A write has happened when the function has returned NAV_OK: COMMIT with synchronous=FULL. Errors
// of every function: PROTO_STORAGE_FULL, PROTO_STORE_UNAVAILABLE, NAV_NO_MEMORY, PROTO_INTERNAL,
// and those that it names. Thread: any.

#pragma once

#include "core/nav.h"
#include "server/base/clock.h"
#include "server/base/limits.h"

typedef struct store store;

// Opens the database and brings its schema up to date; makes it where there is none. A file that is
// not ours, damaged, of a newer schema or of one from before the first release, read-only or used
// by another daemon is refused with one clear sentence and is not written to.
nav_status store_open(const char *path, store **out, nav_error *err);
// Checks the database without writing: what store_open would refuse. A missing file is fine.
nav_status store_check(const char *path, nav_error *err);
void store_close(store *disk); // NULL is harmless

// Whether writes fail: as the last one did, for want of room or of memory, or because the file
// cannot be used. *why has the reason. The next one that succeeds ends it.
bool store_is_degraded(store *disk, nav_error *why);
// PROTO_STORE_UNAVAILABLE where the file is no longer found by its name: what is in it is lost with
// the process. Every write asks.
nav_status store_place_check(const store *disk, nav_error *err);
// Checks whether the file is still in its place, tries to write where the last write has failed,
// and writes what is owed.
void store_probe(store *disk);
// Probes four times a second until store_close. Errors: NAV_NO_MEMORY.
nav_status store_watch_begin(store *disk, nav_error *err);
// For functions that only read, whoever is using it. All of them see the same moment. One of an
// older schema is refused.
nav_status store_open_to_read(const char *path, store **out, nav_error *err);

// ---------------------------------------------------------------------------------------------------
// Versions

// queued: acknowledged, its bake not yet ended. The other states are final.
typedef enum store_state {
    STORE_QUEUED,
    STORE_READY,
    STORE_FAILED,
    STORE_CANCELLED,
    STORE_STATE_COUNT,
} store_state;

const char *store_state_word(store_state state);

// A gate keeps a version that is to be made live from that, once it is ready. The numbers stand in
// the file: of two equal uploads the more lenient counts.
typedef enum store_gate {
    STORE_GATE_STRICT = -1, // checks that fail, and warnings
    STORE_GATE_CHECKS = 0,  // checks that fail
    STORE_GATE_FORCE = 1,   // nothing
} store_gate;

// A row. The texts are malloc'ed JSON, NULL where there is none yet, and where it is damaged.
typedef struct store_version {
    char mesh[LIMIT_MESH_NAME + 1];
    uint32_t version;
    store_state state;
    bool active;   // live now
    bool activate; // to be made live when ready
    store_gate gate;
    char created_at[CLOCK_TEXT_BYTES];
    bool reuse; // its bake may take tiles of other versions
    uint32_t tiles_total, tiles_reused;
    uint8_t geometry_hash[32], content_key[32];
    char *geometry_json, *config_json, *blob_json, *stats_json, *timings_json, *warnings_json,
        *checks_json, *agents_json;
    nav_error error; // of a failed version; else NAV_OK
    bool damaged;    // one of its columns is
} store_version;

void store_version_free(store_version *version);
void store_versions_free(store_version *versions, size_t count); // also the array

// A new version, before its bake.
typedef struct store_upload {
    const char *mesh;
    const uint8_t *content_key;   // 32 bytes: of geometry, settings and format
    const uint8_t *geometry_hash; // 32 bytes: SHA-256 of the packed layout
    const void *geometry;         // zstd
    size_t geometry_bytes;        // of that
    uint64_t geometry_unpacked_bytes;
    const char *geometry_json, *config_json;
    const char *warnings_json; // of the level, before its bake; NULL: none are reported
    uint32_t tiles_total;
    bool activate;
    store_gate gate;
    bool reuse;       // a version with the same content_key, queued or ready, may stand for it; and
                      // its bake may take tiles of other versions
    uint32_t damaged; // such a version and all before it may not; 0: none
    bool again;       // one that failed may, too: it is queued once more
} store_upload;

// The newest version of the mesh with this content_key that is queued or ready; 0 if there is none.
nav_status store_version_find(store *disk, const char *mesh, const uint8_t content_key[32],
                              uint32_t *version, nav_error *err);
// Stores version and geometry in one transaction. *existing says that an equal version was found
// instead, which is then marked for activation if that is asked, or queued once more if it failed
// (upload->again).
nav_status store_version_insert(store *disk, const store_upload *upload, uint32_t *version,
                                bool *existing, nav_error *err);
// PROTO_MESH_NOT_FOUND, PROTO_VERSION_NOT_FOUND.
nav_status store_version_get(store *disk, const char *mesh, uint32_t version, store_version *out,
                             nav_error *err);
// All versions of a mesh, in order. PROTO_MESH_NOT_FOUND.
nav_status store_version_list(store *disk, const char *mesh, store_version **out, size_t *count,
                              nav_error *err);

// The name of a version, for the start: of every one still queued, or of every live one.
typedef struct store_name {
    char mesh[LIMIT_MESH_NAME + 1]; // "": it is damaged
    uint32_t version;               // 0: it is damaged
    uint64_t activation;
} store_name;

// *out is malloc'ed, in order of mesh (strcmp) and version.
nav_status store_queued_list(store *disk, store_name **out, size_t *count, nav_error *err);
nav_status store_active_list(store *disk, store_name **out, size_t *count, nav_error *err);
// Meshes that have versions, at most 1000 and without reading more than 10,000 names, so that it
// takes little time however many there are or were.
nav_status store_first_names(store *disk, store_name **out, size_t *count, nav_error *err);

// ---------------------------------------------------------------------------------------------------
// The end of a bake

// A tile of a version: the blob, packed, the key of what it was baked from, and the numbers that
// the bake reported.
typedef struct store_tile {
    uint32_t agent; // whose: 0: the one named default, n: the n-th of the settings' agents
    uint32_t x, z;
    uint8_t key[32];  // nav_tile_key
    bool has_key;     // not of imported tiles
    bool reused;      // comes from the store
    int64_t id;       // of its row in the store; 0: not from there
    uint8_t hash[32]; // of the unpacked bytes
    void *packed;     // zstd, malloc'ed
    size_t packed_bytes;
    uint8_t packed_hash[32]; // of the packed bytes, which are fewer to hash
    uint64_t bytes;          // unpacked; 0: nobody can stand in the tile, there is no blob
    void *report;            // nav_bake_report_pack, malloc'ed, or NULL
    size_t report_bytes;
} store_tile;

// "tile 4,0", and of an agent that is not the default one "tile 4,0 of agent 2".
#define STORE_TILE_WORDS_BYTES 64
const char *store_tile_words(const store_tile *tile, char out[STORE_TILE_WORDS_BYTES]);
// The run of one agent's tiles in a list in order of agent, z, x.
const store_tile *store_tiles_of_agent(const store_tile *tiles, size_t count, uint32_t agent,
                                       size_t *agent_count);
// The name of a version's mesh: of one tile its own, of several the hash of their names, in order
// of z, x. Each agent's has one.
void store_tiles_name(const store_tile *tiles, size_t count, uint8_t sha256[32]);
// Whether the version is named by these tiles, all that it has, in order of agent, z, x.
bool store_version_names(const store_version *version, const store_tile *tiles, size_t count);
void store_tile_hash_packed(store_tile *tile);          // fills in packed_hash
void store_tile_empty(store_tile *tile);                // frees its blocks
void store_tiles_free(store_tile *tiles, size_t count); // blocks and array

// A stored tile with this key, or with `own` one that the named version has finished before its
// bake was broken off. out->x and z stay as they are. The tile is not verified; packed is
// NULL where the bytes are no longer there.
nav_status store_tile_find(store *disk, const char *mesh, uint32_t version, bool own,
                           const uint8_t key[32], store_tile *out, bool *found, nav_error *err);
// Commits finished tiles of a bake that goes on. NAV_CANCELLED where the version is no longer
// queued.
nav_status store_tiles_put(store *disk, const char *mesh, uint32_t version, const store_tile *tiles,
                           size_t count, nav_error *err);
// A mesh's landmarks (nav_landmarks_make), packed.
typedef struct store_landmarks {
    uint32_t agent;       // whose mesh, as of a tile
    uint64_t fingerprint; // of the mesh
    void *packed;         // zstd; NULL: none could be made
    size_t packed_bytes;
    uint64_t bytes;
} store_landmarks;

typedef struct store_result {
    const store_tile *tiles; // that store_tiles_put has not had
    size_t tile_count;
    uint32_t tiles_reused;
    uint32_t keep_versions; // 0: all; else as many of the newest ready ones, and the live one
    const uint32_t *pinned; // and these, whatever their number
    size_t pinned_count;
    uint32_t *removed;                // how many went for that, or NULL
    const store_landmarks *landmarks; // of each agent, the default one first
    size_t landmark_count;
    const char *blob_json, *stats_json, *timings_json, *warnings_json, *checks_json;
    const char *agents_json; // what further agents have; NULL: there are none
    bool checks_failed, has_warnings;
    bool repairs; // of a version that is ready: tiles are all that it has, and take their place
    const char *geometry_json, *created_at; // NULL: stay as they are
} store_result;

// queued -> ready. *activation is the mesh's new count where the version has become live: if it was
// to be activated, its gate lets it pass, and nothing newer has been live since; else 0. Of one
// that is repaired it is the mesh's count where it is live. NAV_CANCELLED where the version is no
// longer queued (ready) or no longer there.
nav_status store_version_ready(store *disk, const char *mesh, uint32_t version,
                               const store_result *result, uint64_t *activation, nav_error *err);
// queued -> failed. NAV_CANCELLED as above.
nav_status store_version_failed(store *disk, const char *mesh, uint32_t version,
                                const nav_error *why, nav_error *err);
// The same as soon as writes work again (store_probe), where they do not at present. Lost with the
// process: then the next start bakes it again. Memory may be what writes lack, so it is had before:
// store_owed_create (NULL without memory), which is given to store_version_failed_later, or freed.
typedef struct store_owed store_owed;
store_owed *store_owed_create(void);
void store_version_failed_later(store *disk, store_owed *owed, const char *mesh, uint32_t version,
                                const nav_error *why);
// queued -> cancelled; *cancelled false where the version had ended already.
nav_status store_version_cancel(store *disk, const char *mesh, uint32_t version, bool *cancelled,
                                nav_error *err);

// ---------------------------------------------------------------------------------------------------
// Meshes

typedef struct store_mesh {
    char name[LIMIT_MESH_NAME + 1];
    uint32_t active; // 0: none
    uint32_t versions;
    uint64_t activation; // counts changes of the live version; never goes back
} store_mesh;

// PROTO_MESH_NOT_FOUND.
nav_status store_mesh_get(store *disk, const char *name, store_mesh *out, nav_error *err);
nav_status store_mesh_list(store *disk, store_mesh **out, size_t *count, nav_error *err);

// Expects any count of changes.
#define STORE_ANY_ACTIVATION UINT64_MAX

// Makes a ready version live. PROTO_STALE_ETAG where the activation is not as expected.
// PROTO_MESH_NOT_FOUND, PROTO_VERSION_NOT_FOUND, PROTO_VERSION_NOT_READY. *before is the row
// before, *activation the new count (the old one where the version was live already).
nav_status store_activate(store *disk, const char *mesh, uint32_t version, uint64_t expected,
                          store_mesh *before, uint64_t *activation, nav_error *err);
// PROTO_VERSION_ACTIVE, PROTO_MESH_NOT_FOUND, PROTO_VERSION_NOT_FOUND; PROTO_VERSION_RECORDED where
// somebody asked for a recording of it, unless `recordings` go with it. Version numbers are not
// used again.
nav_status store_version_delete(store *disk, const char *mesh, uint32_t version, bool recordings,
                                nav_error *err);
// All versions, and its checks. PROTO_MESH_NOT_FOUND, PROTO_VERSION_RECORDED. *activation is the
// new count.
nav_status store_mesh_delete(store *disk, const char *mesh, bool recordings, uint64_t *activation,
                             nav_error *err);

// ---------------------------------------------------------------------------------------------------
// Checks (checks.c). The texts are JSON.

// Keeps a name's checks, whether or not there is a mesh of that name yet.
nav_status store_checks_set(store *disk, const char *mesh, const char *checks_json, nav_error *err);
// *checks_json is malloc'ed, {"checks":[...]}; NULL where none were ever set. PROTO_INTERNAL where
// they are damaged.
nav_status store_checks_get(store *disk, const char *mesh, char **checks_json, nav_error *err);
// Says that they are, and what to do. Returns PROTO_INTERNAL.
nav_status store_checks_fail(const char *mesh, nav_error *err);
// How the checks of a ready version went when they were run again. PROTO_VERSION_NOT_FOUND where it
// is no longer there or not ready.
nav_status store_version_checks_set(store *disk, const char *mesh, uint32_t version,
                                    const char *checks_json, nav_error *err);
// Whether a version is there and ready, and, if not NULL, how its checks went last (malloc'ed).
nav_status store_version_checks_get(store *disk, const char *mesh, uint32_t version, bool *ready,
                                    char **checks_json, nav_error *err);

// ---------------------------------------------------------------------------------------------------
// Blocks

// A version's tiles in order of agent, z, x, without those that nobody can stand in; to be given to
// store_tiles_free. packed is NULL where its bytes are not there any more. PROTO_VERSION_NOT_FOUND,
// PROTO_VERSION_NOT_READY, PROTO_INTERNAL where a row is damaged or lost, also that of a tile
// without ground.
nav_status store_tiles_load(store *disk, const char *mesh, uint32_t version, store_tile **out,
                            size_t *count, nav_error *err);
// The same without their bytes.
nav_status store_tiles_list(store *disk, const char *mesh, uint32_t version, store_tile **out,
                            size_t *count, nav_error *err);
// A version's geometry, packed.
typedef struct store_geometry {
    void *packed; // zstd, malloc'ed
    size_t packed_bytes;
    uint64_t bytes;
    uint8_t hash[32]; // of the unpacked bytes
} store_geometry;

// PROTO_VERSION_NOT_FOUND, PROTO_INTERNAL where it is lost.
nav_status store_geometry_load(store *disk, const char *mesh, uint32_t version, store_geometry *out,
                               nav_error *err);

// ---------------------------------------------------------------------------------------------------
// How much there is

typedef struct store_usage {
    uint64_t meshes; // with a version
    uint64_t versions[STORE_STATE_COUNT];
    uint64_t file_bytes, wal_bytes;
} store_usage;

nav_status store_usage_get(store *disk, store_usage *out, nav_error *err);
const char *store_library_version(void);

// Landmarks of a version's out->agent, or, with mesh NULL, those that any version has with
// out->fingerprint. packed is malloc'ed: empty where none could be made, NULL where their row is
// not there.
nav_status store_landmarks_load(store *disk, const char *mesh, uint32_t version,
                                store_landmarks *out, nav_error *err);

// ---------------------------------------------------------------------------------------------------
// Checks of the whole database

// A sentence for each fault of SQLite's own structure, of references between rows and of rows of
// meshes, and one for rows that belong to nothing. Versions are checked one by one (jobs/repair.h).
typedef void store_fault(void *user, const char *text);
nav_status store_faults_each(store *disk, store_fault *report, void *user, nav_error *err);
// Copies the database as it is at this moment to a file that is not there yet and appears whole.
// Errors: NAV_INVALID_FIELD where it is there.
nav_status store_backup(store *disk, const char *path, nav_error *err);

// Hashes all that decides a bake: geometry (its hash, 32 bytes), settings as proto_write_config
// writes them, and the way of baking.
void store_content_key(const uint8_t geometry_hash[32], const char *config_json, uint8_t key[32]);

// ---------------------------------------------------------------------------------------------------
// How damage is reported: whose it is, what of it, and what to do (text.c)

// "version 3 of mesh 'town' is damaged in the database: tile 4,0. <advice>", with what printf makes
// of format, cut after 60 bytes. Returns PROTO_INTERNAL.
nav_status damage_fail(nav_error *err, const char *mesh, uint32_t version, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Says, in place of the advice, that a repair is under way, and makes the status PROTO_NOT_READY.
void damage_is_repaired(nav_error *err);
