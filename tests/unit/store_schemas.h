// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_schemas.h: a database of each schema that was ever written, as SQL: its tables as they
// were, and in them mesh town with versions 1 and 2, which share a blob, 2 being live, version 3,
// which waits for its bake, and version 4, which failed. A new schema gets its rows here; those
// that are here are never edited.

#pragma once

#define SCHEMA_1_TABLES                                                                            \
    "CREATE TABLE meshes( id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, next_version "        \
    "INTEGER NOT NULL DEFAULT 1, active INTEGER NOT NULL DEFAULT 0, newest_activated "             \
    "INTEGER NOT NULL DEFAULT 0, activation INTEGER NOT NULL DEFAULT 0);"                          \
    "CREATE TABLE geometries( hash BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, zstd "            \
    "BLOB NOT NULL);"                                                                              \
    "CREATE TABLE blobs( hash BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, zstd BLOB NOT "        \
    "NULL);"                                                                                       \
    "CREATE TABLE versions( mesh INTEGER NOT NULL REFERENCES meshes(id), version INTEGER "         \
    "NOT NULL, state TEXT NOT NULL CHECK (state IN "                                               \
    "('queued','ready','failed','cancelled')), activate INTEGER NOT NULL, created_at TEXT "        \
    "NOT NULL, content_key BLOB NOT NULL, geometry_hash BLOB NOT NULL REFERENCES "                 \
    "geometries(hash), tiles_total INTEGER NOT NULL, geometry_json TEXT NOT NULL, "                \
    "config_json TEXT NOT NULL, blob_json TEXT, stats_json TEXT, timings_json TEXT, "              \
    "warnings_json TEXT, error_code TEXT, error_detail TEXT, error_at TEXT, error_got "            \
    "TEXT, error_limit TEXT, PRIMARY KEY (mesh, version)) WITHOUT ROWID;"                          \
    "CREATE INDEX versions_by_geometry ON versions(geometry_hash);"                                \
    "CREATE TABLE version_tiles( mesh INTEGER NOT NULL, version INTEGER NOT NULL, tile_x "         \
    "INTEGER NOT NULL, tile_z INTEGER NOT NULL, blob_hash BLOB NOT NULL REFERENCES "               \
    "blobs(hash), PRIMARY KEY (mesh, version, tile_z, tile_x), FOREIGN KEY (mesh, "                \
    "version) REFERENCES versions(mesh, version) ON DELETE CASCADE) WITHOUT ROWID;"                \
    "CREATE INDEX version_tiles_by_blob ON version_tiles(blob_hash);"

#define SCHEMA_2_TABLES                                                                            \
    "CREATE TABLE meshes( id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, next_version "        \
    "INTEGER NOT NULL DEFAULT 1, active INTEGER NOT NULL DEFAULT 0, newest_activated "             \
    "INTEGER NOT NULL DEFAULT 0, activation INTEGER NOT NULL DEFAULT 0);"                          \
    "CREATE TABLE geometries( hash BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, zstd "            \
    "BLOB NOT NULL);"                                                                              \
    "CREATE TABLE blobs( hash BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, zstd BLOB NOT "        \
    "NULL, packed_hash BLOB);"                                                                     \
    "CREATE TABLE versions( mesh INTEGER NOT NULL REFERENCES meshes(id), version INTEGER "         \
    "NOT NULL, state TEXT NOT NULL CHECK (state IN "                                               \
    "('queued','ready','failed','cancelled')), activate INTEGER NOT NULL, created_at TEXT "        \
    "NOT NULL, content_key BLOB NOT NULL, geometry_hash BLOB NOT NULL REFERENCES "                 \
    "geometries(hash), tiles_total INTEGER NOT NULL, geometry_json TEXT NOT NULL, "                \
    "config_json TEXT NOT NULL, blob_json TEXT, stats_json TEXT, timings_json TEXT, "              \
    "warnings_json TEXT, error_code TEXT, error_detail TEXT, error_at TEXT, error_got "            \
    "TEXT, error_limit TEXT, tiles_reused INTEGER NOT NULL DEFAULT 0, reuse INTEGER NOT "          \
    "NULL DEFAULT 1, PRIMARY KEY (mesh, version)) WITHOUT ROWID;"                                  \
    "CREATE INDEX versions_by_geometry ON versions(geometry_hash);"                                \
    "CREATE TABLE \"version_tiles\"( mesh INTEGER NOT NULL, version INTEGER NOT NULL, "            \
    "tile_z INTEGER NOT NULL, tile_x INTEGER NOT NULL, key BLOB, blob_hash BLOB "                  \
    "REFERENCES blobs(hash) DEFERRABLE INITIALLY DEFERRED, report BLOB, PRIMARY KEY "              \
    "(mesh, version, tile_z, tile_x), FOREIGN KEY (mesh, version) REFERENCES "                     \
    "versions(mesh, version) ON DELETE CASCADE) WITHOUT ROWID;"                                    \
    "CREATE INDEX version_tiles_by_blob ON version_tiles(blob_hash);"                              \
    "CREATE INDEX version_tiles_by_key ON version_tiles(key) WHERE key IS NOT NULL;"

// 32 bytes, of which the first tells them apart.
#define HASH(digit) "x'" digit "00000000000000000000000000000000000000000000000000000000000000'"

#define SCHEMA_3_MORE                                                                              \
    "CREATE TABLE version_landmarks( mesh INTEGER NOT NULL, version INTEGER NOT NULL, "            \
    "fingerprint INTEGER NOT NULL, bytes INTEGER NOT NULL, zstd BLOB NOT NULL, PRIMARY KEY "       \
    "(mesh, version), FOREIGN KEY (mesh, version) REFERENCES versions(mesh, version) ON "          \
    "DELETE CASCADE);"                                                                             \
    "CREATE INDEX version_landmarks_by_fingerprint ON version_landmarks(fingerprint);"

#define SCHEMA_4_MORE                                                                              \
    "CREATE TABLE mesh_checks( mesh TEXT NOT NULL PRIMARY KEY, checks_json TEXT NOT NULL) "        \
    "WITHOUT ROWID;"                                                                               \
    "ALTER TABLE versions ADD COLUMN force INTEGER NOT NULL DEFAULT 0;"                            \
    "ALTER TABLE versions ADD COLUMN checks_json TEXT;"

#define SCHEMA_ROWS                                                                                                            \
    "INSERT INTO meshes VALUES (1, 'town', 5, 2, 2, 3);"                                                                       \
    "INSERT INTO geometries VALUES (" HASH("a1") ", 90, 'geometry 1'), (" HASH(                                                \
        "a2") ", 91, 'geometry 2');"                                                                                           \
              "INSERT INTO blobs(hash, bytes, zstd) VALUES "                                                                   \
              "(" HASH("b1") ", 80, 'tile one'), (" HASH("b2") ", 70, 'tile two'), (" HASH(                                    \
                  "b3") ", 60, 'tile three');"                                                                                 \
                        "INSERT INTO versions(mesh, version, "                                                                 \
                        "state, activate, created_at, "                                                                        \
                        "content_key, geometry_hash,"                                                                          \
                        " tiles_total, geometry_json, "                                                                        \
                        "config_json, blob_json, stats_json) "                                                                 \
                        "VALUES"                                                                                               \
                        " (1, 1, 'ready', 1, "                                                                                 \
                        "'2026-11-20T21:00:00.123Z', " HASH("c1") ", " HASH(                                                   \
                            "a1") ", 2, '{\"g\":1}', "                                                                         \
                                  "'{\"c\":1}', '{\"b\":1}', "                                                                 \
                                  "'{\"s\":1}'),"                                                                              \
                                  " (1, 2, 'ready', 1, "                                                                       \
                                  "'2026-11-20T21:01:00.123Z'"                                                                 \
                                  ", " HASH("c2") ", " HASH(                                                                   \
                                      "a2") ", 2, "                                                                            \
                                            "'{\"g\":2}', "                                                                    \
                                            "'{\"c\":2}', "                                                                    \
                                            "'{\"b\":2}', "                                                                    \
                                            "'{\"s\":2}'),"                                                                    \
                                            " (1, 3, "                                                                         \
                                            "'queued', 1, "                                                                    \
                                            "'2026-11-20T21:"                                                                  \
                                            "02:00.123Z',"                                                                     \
                                            " " HASH(                                                                          \
                                                "c3") ","                                                                      \
                                                      " " HASH(                                                                \
                                                          "a2") ", 2, '{\"g\":3}', '{\"c\":3}', "                              \
                                                                "NULL, NULL),"                                                 \
                                                                " (1, 4, 'failed', 1, "                                        \
                                                                "'2026-11-20T21:03:00.123Z',"                                  \
                                                                " " HASH("c4") ", " HASH(                                      \
                                                                    "a1") ", 2, '{\"g\":4}', "                                 \
                                                                          "'{\"c\":4}', NULL, "                                \
                                                                          "NULL);"                                             \
                                                                          "UPDATE versions SET "                               \
                                                                          "error_code = "                                      \
                                                                          "'mesh_empty', "                                     \
                                                                          "error_detail = "                                    \
                                                                          "'steep' WHERE version "                             \
                                                                          "= 4;"                                               \
                                                                          "INSERT INTO "                                       \
                                                                          "version_tiles(mesh, "                               \
                                                                          "version, tile_x, "                                  \
                                                                          "tile_z, blob_hash) "                                \
                                                                          "VALUES"                                             \
                                                                          " (1, 1, 0, 0, " HASH("b1") "), (1, 1, 1, 0, " HASH( \
                                                                              "b2") "),"                                       \
                                                                                    " (1, 2, 0, "                              \
                                                                                    "0, " HASH(                                \
                                                                                        "b1") "),"                             \
                                                                                              " ("                             \
                                                                                              "1,"                             \
                                                                                              " 2"                             \
                                                                                              ", "                             \
                                                                                              "0,"                             \
                                                                                              " 1"                             \
                                                                                              ","                              \
                                                                                              " " HASH(                        \
                                                                                                  "b3") ");"

static const char *const SCHEMAS[] = {
    SCHEMA_1_TABLES,
    SCHEMA_2_TABLES,
    SCHEMA_2_TABLES SCHEMA_3_MORE,
    SCHEMA_2_TABLES SCHEMA_3_MORE SCHEMA_4_MORE,
};
