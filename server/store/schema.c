// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// schema.c: the tables, as SQLite gets them, and the steps to them from an older schema. The
// comments are part of what it keeps: `.schema` of the sqlite3 shell shows them.

#include "server/store/db.h"

#define MESHES                                                                                     \
    "CREATE TABLE meshes(\n"                                                                       \
    "  id INTEGER PRIMARY KEY,\n"                                                                  \
    "  name TEXT NOT NULL UNIQUE,                   -- the row stays when its versions are "       \
    "gone:\n"                                                                                      \
    "  next_version INTEGER NOT NULL DEFAULT 1,     -- numbers are not used again\n"               \
    "  active INTEGER NOT NULL DEFAULT 0,           -- the live version; 0: none\n"                \
    "  newest_activated INTEGER NOT NULL DEFAULT 0, -- the highest version that ever was live\n"   \
    "  activation INTEGER NOT NULL DEFAULT 0        -- changes of active so far\n"                 \
    ");\n"                                                                                         \
    "CREATE TABLE mesh_checks(                      -- by name: they may be set before any "       \
    "upload\n"                                                                                     \
    "  mesh TEXT NOT NULL PRIMARY KEY,\n"                                                          \
    "  checks_json TEXT NOT NULL\n"                                                                \
    ") WITHOUT ROWID;\n"

#define VERSIONS                                                                                   \
    "CREATE TABLE geometries(\n"                                                                   \
    "  hash BLOB NOT NULL UNIQUE,                   -- SHA-256 of the unpacked bytes\n"            \
    "  bytes INTEGER NOT NULL,                      -- unpacked\n"                                 \
    "  zstd BLOB NOT NULL\n"                                                                       \
    ");\n"                                                                                         \
    "CREATE TABLE versions(\n"                                                                     \
    "  mesh INTEGER NOT NULL REFERENCES meshes(id),\n"                                             \
    "  version INTEGER NOT NULL,\n"                                                                \
    "  state TEXT NOT NULL CHECK (state IN ('queued','ready','failed','cancelled')),\n"            \
    "  activate INTEGER NOT NULL,                   -- to be made live when it is ready\n"         \
    "  created_at TEXT NOT NULL,\n"                                                                \
    "  content_key BLOB NOT NULL,                   -- SHA-256 of geometry, settings and format\n" \
    "  geometry_hash BLOB NOT NULL REFERENCES geometries(hash),\n"                                 \
    "  tiles_total INTEGER NOT NULL,\n"                                                            \
    "  geometry_json TEXT NOT NULL, config_json TEXT NOT NULL,\n"                                  \
    "  blob_json TEXT, stats_json TEXT, timings_json TEXT, warnings_json TEXT,\n"                  \
    "  error_code TEXT, error_detail TEXT, error_at TEXT, error_got TEXT, error_limit TEXT,\n"     \
    "  tiles_reused INTEGER NOT NULL DEFAULT 0,\n"                                                 \
    "  reuse INTEGER NOT NULL DEFAULT 1,            -- its bake may take tiles of other "          \
    "versions\n"                                                                                   \
    "  force INTEGER NOT NULL DEFAULT 0,            -- 1: live though checks fail; -1: strict\n"   \
    "  checks_json TEXT,                            -- how its checks went last\n"                 \
    "  agents_json TEXT,                            -- what its further agents have\n"             \
    "  PRIMARY KEY (mesh, version)\n"                                                              \
    ") WITHOUT ROWID;\n"                                                                           \
    "CREATE INDEX versions_by_geometry ON versions(geometry_hash);\n"                              \
    "CREATE TABLE version_landmarks(\n"                                                            \
    "  mesh INTEGER NOT NULL, version INTEGER NOT NULL,\n"                                         \
    "  agent INTEGER NOT NULL,                      -- 0: the default one; others by their "       \
    "names\n"                                                                                      \
    "  fingerprint INTEGER NOT NULL,                -- of the mesh that they are landmarks of\n"   \
    "  bytes INTEGER NOT NULL,                      -- unpacked; 0: none could be made\n"          \
    "  zstd BLOB NOT NULL,\n"                                                                      \
    "  PRIMARY KEY (mesh, version, agent),\n"                                                      \
    "  FOREIGN KEY (mesh, version) REFERENCES versions(mesh, version) ON DELETE CASCADE\n"         \
    ");\n"                                                                                         \
    "CREATE INDEX version_landmarks_by_fingerprint ON version_landmarks(fingerprint);\n"

// No foreign key leads from version_tiles to versions: for each tile SQLite would read the
// version's whole row, whose settings may be megabytes. remove.c deletes the rows, verify.c looks
// for strays.
#define TILES                                                                                      \
    "CREATE TABLE blobs(                            -- the bytes of tiles\n"                       \
    "  id INTEGER PRIMARY KEY,\n"                                                                  \
    "  zstd BLOB NOT NULL\n"                                                                       \
    ");\n"                                                                                         \
    "CREATE TABLE tiles(                            -- each once, whichever versions have it\n"    \
    "  id INTEGER PRIMARY KEY,\n"                                                                  \
    "  hash BLOB,                                   -- SHA-256 of the bytes, unpacked; null:\n"    \
    "  blob INTEGER REFERENCES blobs(id),           -- nobody can stand in it, it has none\n"      \
    "  bytes INTEGER NOT NULL,                      -- unpacked\n"                                 \
    "  key BLOB,                                    -- SHA-256 of what it was baked from\n"        \
    "  packed_hash BLOB,                            -- SHA-256 of blobs.zstd\n"                    \
    "  report BLOB,                                 -- counts of its bake\n"                       \
    "  checksum INTEGER NOT NULL                    -- XXH64 of this row, without id\n"            \
    ");\n"                                                                                         \
    "CREATE INDEX tiles_by_hash ON tiles(hash);\n"                                                 \
    "CREATE INDEX tiles_by_key ON tiles(key);\n"                                                   \
    "CREATE INDEX tiles_by_blob ON tiles(blob);\n"                                                 \
    "CREATE TABLE version_tiles(                    -- where a version has which tile\n"           \
    "  mesh INTEGER NOT NULL, version INTEGER NOT NULL,\n"                                         \
    "  tile_z INTEGER NOT NULL,                     -- + 16777216 times the agent; 0: default\n"   \
    "  tile_x INTEGER NOT NULL,\n"                                                                 \
    "  tile INTEGER NOT NULL REFERENCES tiles(id),\n"                                              \
    "  checksum INTEGER NOT NULL,                   -- XXH64 of tile_z, tile_x and the tile's "    \
    "hash\n"                                                                                       \
    "  PRIMARY KEY (mesh, version, tile_z, tile_x)\n"                                              \
    ") WITHOUT ROWID;\n"                                                                           \
    "CREATE INDEX version_tiles_by_tile ON version_tiles(tile);\n"

#define RECORDINGS                                                                                 \
    "CREATE TABLE recordings(                       -- questions that were kept, with answers\n"   \
    "  id TEXT NOT NULL PRIMARY KEY,                -- in the order of time\n"                     \
    "  mesh INTEGER NOT NULL, version INTEGER NOT NULL,\n"                                         \
    "  cause TEXT NOT NULL CHECK (cause IN ('asked','slow','failed')),\n"                          \
    "  bytes INTEGER NOT NULL,                      -- that it counts for\n"                       \
    "  name TEXT NOT NULL, created_at TEXT NOT NULL, kind TEXT NOT NULL,\n"                        \
    "  status INTEGER NOT NULL, ms REAL NOT NULL,   -- of the answer\n"                            \
    "  bundle BLOB NOT NULL,                        -- all but the version\n"                      \
    "  FOREIGN KEY (mesh, version) REFERENCES versions(mesh, version)\n"                           \
    ");\n"                                                                                         \
    "CREATE INDEX recordings_by_version ON recordings(mesh, version);\n"                           \
    "CREATE INDEX recordings_by_cause ON recordings(cause, id, bytes);\n"

// There is no older schema yet: the first step will take number 9 to 10.
static const char *const TABLES[] = {MESHES, VERSIONS, TILES, RECORDINGS, NULL};

const store_schema STORE_SCHEMA = {.tables = TABLES};
