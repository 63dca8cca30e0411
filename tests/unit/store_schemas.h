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

// Made by the daemon of schema 5.
static const char SCHEMA_5_TABLES[] =
    "CREATE TABLE meshes( id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, next_version INT"
    "EGER NOT NULL DEFAULT 1, active INTEGER NOT NULL DEFAULT 0, newest_activated INTEGER NOT"
    " NULL DEFAULT 0, activation INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE geometries( hash BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, zstd BLOB NO"
    "T NULL);"
    "CREATE TABLE versions( mesh INTEGER NOT NULL REFERENCES meshes(id), version INTEGER NOT "
    "NULL, state TEXT NOT NULL CHECK (state IN ('queued','ready','failed','cancelled')), acti"
    "vate INTEGER NOT NULL, created_at TEXT NOT NULL, content_key BLOB NOT NULL, geometry_has"
    "h BLOB NOT NULL REFERENCES geometries(hash), tiles_total INTEGER NOT NULL, geometry_json"
    " TEXT NOT NULL, config_json TEXT NOT NULL, blob_json TEXT, stats_json TEXT, timings_json"
    " TEXT, warnings_json TEXT, error_code TEXT, error_detail TEXT, error_at TEXT, error_got "
    "TEXT, error_limit TEXT, tiles_reused INTEGER NOT NULL DEFAULT 0, reuse INTEGER NOT NULL "
    "DEFAULT 1, force INTEGER NOT NULL DEFAULT 0, checks_json TEXT, PRIMARY KEY (mesh, versio"
    "n)) WITHOUT ROWID;"
    "CREATE TABLE version_landmarks( mesh INTEGER NOT NULL, version INTEGER NOT NULL, fingerp"
    "rint INTEGER NOT NULL, bytes INTEGER NOT NULL, zstd BLOB NOT NULL, PRIMARY KEY (mesh, ve"
    "rsion), FOREIGN KEY (mesh, version) REFERENCES versions(mesh, version) ON DELETE CASCADE"
    ");"
    "CREATE TABLE mesh_checks( mesh TEXT NOT NULL PRIMARY KEY, checks_json TEXT NOT NULL) WIT"
    "HOUT ROWID;"
    "CREATE TABLE packs(id INTEGER PRIMARY KEY, zstd BLOB NOT NULL);"
    "CREATE TABLE pack_tiles( pack INTEGER PRIMARY KEY REFERENCES packs(id) ON DELETE CASCADE"
    ", directory BLOB NOT NULL);"
    "CREATE TABLE version_tiles( mesh INTEGER NOT NULL, version INTEGER NOT NULL, pack INTEGE"
    "R NOT NULL REFERENCES packs(id), count INTEGER NOT NULL, tiles BLOB NOT NULL, PRIMARY KE"
    "Y (mesh, version, pack), FOREIGN KEY (mesh, version) REFERENCES versions(mesh, version) "
    "ON DELETE CASCADE) WITHOUT ROWID;"
    "CREATE INDEX versions_by_geometry ON versions(geometry_hash);"
    "CREATE INDEX version_landmarks_by_fingerprint ON version_landmarks(fingerprint);"
    "CREATE INDEX version_tiles_by_pack ON version_tiles(pack);";

// Meshes, geometries and versions, which schemas 5 and 6 keep alike.
#define VERSIONS_ROWS                                                                              \
    "INSERT INTO meshes VALUES(1,'town',5,2,2,3);"                                                 \
    "INSERT INTO geometries VALUES(X'a1000000000000000000000000000000000000000000000000000000"     \
    "00000000',90,'geometry 1');"                                                                  \
    "INSERT INTO geometries VALUES(X'a2000000000000000000000000000000000000000000000000000000"     \
    "00000000',91,'geometry 2');"                                                                  \
    "INSERT INTO versions VALUES(1,1,'ready',1,'2026-11-20T21:00:00.123Z',X'c1000000000000000"     \
    "00000000000000000000000000000000000000000000000',X'a100000000000000000000000000000000000"     \
    "000000000000000000000000000',2,'{\"g\":1}','{\"c\":1}','{\"b\":1}','{\"s\":1}',NULL,NULL"     \
    ",NULL,NULL,NULL,NULL,NULL,0,1,0,NULL);"                                                       \
    "INSERT INTO versions VALUES(1,2,'ready',1,'2026-11-20T21:01:00.123Z',X'c2000000000000000"     \
    "00000000000000000000000000000000000000000000000',X'a200000000000000000000000000000000000"     \
    "000000000000000000000000000',2,'{\"g\":2}','{\"c\":2}','{\"b\":2}','{\"s\":2}',NULL,NULL"     \
    ",NULL,NULL,NULL,NULL,NULL,0,1,0,NULL);"                                                       \
    "INSERT INTO versions VALUES(1,3,'queued',1,'2026-11-20T21:02:00.123Z',X'c300000000000000"     \
    "000000000000000000000000000000000000000000000000',X'a20000000000000000000000000000000000"     \
    "0000000000000000000000000000',2,'{\"g\":3}','{\"c\":3}',NULL,NULL,NULL,NULL,NULL,NULL,NU"     \
    "LL,NULL,NULL,0,1,0,NULL);"                                                                    \
    "INSERT INTO versions VALUES(1,4,'failed',1,'2026-11-20T21:03:00.123Z',X'c400000000000000"     \
    "000000000000000000000000000000000000000000000000',X'a10000000000000000000000000000000000"     \
    "0000000000000000000000000000',2,'{\"g\":4}','{\"c\":4}',NULL,NULL,NULL,NULL,'mesh_empty'"     \
    ",'steep',NULL,NULL,NULL,0,1,0,NULL);"

// The same rows in schema 5, whose packs, directories and lists the daemon of then has written.
static const char SCHEMA_5_ROWS[] = VERSIONS_ROWS
    "INSERT INTO packs VALUES(1,X'74696c65206f6e6574696c652074776f');"
    "INSERT INTO packs VALUES(2,X'74696c65207468726565');"
    "INSERT INTO pack_tiles VALUES(1,X'772c87beb2f9397d02000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000b100000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "0000000000500000000000000008000000100100000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000b20000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000000000000008000000000000"
    "00460000000000000008000000100100000000000000000000');"
    "INSERT INTO pack_tiles VALUES(2,X'a0c20f052d547afe01000000000000000000000000000000000000"
    "000000000000000000000000000000000000000000b300000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "00000000003c000000000000000a000000900000000000000000000000');"
    "INSERT INTO version_tiles VALUES(1,1,1,2,X'95b2d126691063e3000000000000000000000000b1000"
    "00000000000000000000000000000000000000000000000000000000000000000000100000001000000b2000"
    "00000000000000000000000000000000000000000000000000000000000');"
    "INSERT INTO version_tiles VALUES(1,2,1,1,X'e4f2fefb0ec0d721000000000000000000000000b1000"
    "00000000000000000000000000000000000000000000000000000000000');"
    "INSERT INTO version_tiles VALUES(1,2,2,1,X'34d597c3dc7bc9c5010000000000000000000000b3000"
    "00000000000000000000000000000000000000000000000000000000000');";

// Likewise: mesh yard with versions 1 and 2, of three tiles each with keys and reports: one without
// ground, and one that both have in common beside it.
static const char SCHEMA_5_KEYED_ROWS[] =
    "INSERT INTO meshes VALUES(3,'yard',3,1,1,1);"
    "INSERT INTO geometries VALUES(X'a5000000000000000000000000000000000000000000000000000000"
    "00000000',90,'geometry 5');"
    "INSERT INTO versions VALUES(3,1,'ready',1,'2026-11-21T21:00:00.123Z',X'c5000000000000000"
    "00000000000000000000000000000000000000000000000',X'a500000000000000000000000000000000000"
    "000000000000000000000000000',3,'{}','{}','{}','{}',NULL,NULL,NULL,NULL,NULL,NULL,NULL,0,"
    "1,0,NULL);"
    "INSERT INTO versions VALUES(3,2,'ready',1,'2026-11-21T22:00:00.123Z',X'c6000000000000000"
    "00000000000000000000000000000000000000000000000',X'a500000000000000000000000000000000000"
    "000000000000000000000000000',3,'{}','{}','{}','{}',NULL,NULL,NULL,NULL,NULL,NULL,NULL,2,"
    "1,0,NULL);"
    "INSERT INTO packs VALUES(1,X'74696c65206669766574696c6520736978');"
    "INSERT INTO packs VALUES(2,X'74696c6520736576656e');"
    "INSERT INTO pack_tiles VALUES(1,X'5ae5ee1cb3ea73f10300000000000000e500000000000000000000"
    "000000000000000000000000000000000000000000b500000000000000000000000000000000000000000000"
    "000000000000000000d500000000000000000000000000000000000000000000000000000000000000000000"
    "0000000000f40100000000000009000000900100000b00000006000000e00000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000"
    "0000000000000000000000000000000000000000000000000000000000000000000000000009000000000000"
    "000000000000000000000000009b0100000b00000002000000e6000000000000000000000000000000000000"
    "00000000000000000000000000b6000000000000000000000000000000000000000000000000000000000000"
    "00d6000000000000000000000000000000000000000000000000000000000000000900000000000000580200"
    "000000000008000000a60100000a000000060000007265706f727420666976657265706f7274206e6f6e6572"
    "65706f727420736978');"
    "INSERT INTO pack_tiles VALUES(2,X'5d3047815dc02f350100000000000000e700000000000000000000"
    "000000000000000000000000000000000000000000b700000000000000000000000000000000000000000000"
    "000000000000000000d700000000000000000000000000000000000000000000000000000000000000000000"
    "0000000000bc020000000000000a000000900000000c000000060000007265706f727420736576656e');"
    "INSERT INTO version_tiles VALUES(3,1,1,3,X'dd92316af98bc362000000000000000000000000b5000"
    "0000000000000000000000000000000000000000000000000000000000000000000010000000100000000000"
    "00000000000000000000000000000000000000000000000000000000000010000000000000002000000b6000"
    "00000000000000000000000000000000000000000000000000000000000');"
    "INSERT INTO version_tiles VALUES(3,2,1,2,X'd8e08d2654651fa6000000000000000000000000b5000"
    "0000000000000000000000000000000000000000000000000000000000000000000010000000100000000000"
    "00000000000000000000000000000000000000000000000000000000000');"
    "INSERT INTO version_tiles VALUES(3,2,2,1,X'87eb6a392f6d1664010000000000000000000000b7000"
    "00000000000000000000000000000000000000000000000000000000000');";

// As schema 6 had it.
static const char SCHEMA_6_TABLES[] =
    "CREATE TABLE meshes( id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, next_version INT"
    "EGER NOT NULL DEFAULT 1, active INTEGER NOT NULL DEFAULT 0, newest_activated INTEGER NOT"
    " NULL DEFAULT 0, activation INTEGER NOT NULL DEFAULT 0);"
    "CREATE TABLE geometries( hash BLOB NOT NULL UNIQUE, bytes INTEGER NOT NULL, zstd BLOB NO"
    "T NULL);"
    "CREATE TABLE versions( mesh INTEGER NOT NULL REFERENCES meshes(id), version INTEGER NOT "
    "NULL, state TEXT NOT NULL CHECK (state IN ('queued','ready','failed','cancelled')), acti"
    "vate INTEGER NOT NULL, created_at TEXT NOT NULL, content_key BLOB NOT NULL, geometry_has"
    "h BLOB NOT NULL REFERENCES geometries(hash), tiles_total INTEGER NOT NULL, geometry_json"
    " TEXT NOT NULL, config_json TEXT NOT NULL, blob_json TEXT, stats_json TEXT, timings_json"
    " TEXT, warnings_json TEXT, error_code TEXT, error_detail TEXT, error_at TEXT, error_got "
    "TEXT, error_limit TEXT, tiles_reused INTEGER NOT NULL DEFAULT 0, reuse INTEGER NOT NULL "
    "DEFAULT 1, force INTEGER NOT NULL DEFAULT 0, checks_json TEXT, PRIMARY KEY (mesh, versio"
    "n)) WITHOUT ROWID;"
    "CREATE TABLE version_landmarks( mesh INTEGER NOT NULL, version INTEGER NOT NULL, fingerp"
    "rint INTEGER NOT NULL, bytes INTEGER NOT NULL, zstd BLOB NOT NULL, PRIMARY KEY (mesh, ve"
    "rsion), FOREIGN KEY (mesh, version) REFERENCES versions(mesh, version) ON DELETE CASCADE"
    ");"
    "CREATE TABLE mesh_checks( mesh TEXT NOT NULL PRIMARY KEY, checks_json TEXT NOT NULL) WIT"
    "HOUT ROWID;"
    "CREATE TABLE blobs( id INTEGER PRIMARY KEY, zstd BLOB NOT NULL );"
    "CREATE TABLE tiles( id INTEGER PRIMARY KEY, hash BLOB, blob INTEGER REFERENCES blobs(id)"
    ", bytes INTEGER NOT NULL, key BLOB, packed_hash BLOB, report BLOB, checksum INTEGER NOT "
    "NULL );"
    "CREATE TABLE version_tiles( mesh INTEGER NOT NULL, version INTEGER NOT NULL, tile_z INTE"
    "GER NOT NULL, tile_x INTEGER NOT NULL, tile INTEGER NOT NULL REFERENCES tiles(id), hash "
    "BLOB, checksum INTEGER NOT NULL, PRIMARY KEY (mesh, version, tile_z, tile_x) ) WITHOUT R"
    "OWID;"
    "CREATE INDEX versions_by_geometry ON versions(geometry_hash);"
    "CREATE INDEX version_landmarks_by_fingerprint ON version_landmarks(fingerprint);"
    "CREATE INDEX tiles_by_hash ON tiles(hash);"
    "CREATE INDEX tiles_by_key ON tiles(key);"
    "CREATE INDEX tiles_by_blob ON tiles(blob);"
    "CREATE INDEX version_tiles_by_tile ON version_tiles(tile);";

static const char SCHEMA_6_ROWS[] = VERSIONS_ROWS
    "INSERT INTO blobs VALUES(1,X'74696c65206f6e65');"
    "INSERT INTO blobs VALUES(2,X'74696c652074776f');"
    "INSERT INTO blobs VALUES(3,X'74696c65207468726565');"
    "INSERT INTO tiles VALUES(1,X'b1000000000000000000000000000000000000000000000000000000000"
    "00000',1,80,NULL,NULL,X'',-4657144350589807061);"
    "INSERT INTO tiles VALUES(2,X'b2000000000000000000000000000000000000000000000000000000000"
    "00000',2,70,NULL,NULL,X'',9170533485667769831);"
    "INSERT INTO tiles VALUES(3,X'b3000000000000000000000000000000000000000000000000000000000"
    "00000',3,60,NULL,NULL,X'',-2437337799254778352);"
    "INSERT INTO version_tiles VALUES(1,1,0,0,1,X'b100000000000000000000000000000000000000000"
    "000000000000000000000',-2185111473604553979);"
    "INSERT INTO version_tiles VALUES(1,1,0,1,2,X'b200000000000000000000000000000000000000000"
    "000000000000000000000',5991110325739473893);"
    "INSERT INTO version_tiles VALUES(1,2,0,0,1,X'b100000000000000000000000000000000000000000"
    "000000000000000000000',-2185111473604553979);"
    "INSERT INTO version_tiles VALUES(1,2,1,0,3,X'b300000000000000000000000000000000000000000"
    "000000000000000000000',3445420772866962604);";

// What schema 7 has beside the tables and the rows of schema 6.
static const char SCHEMA_7_ADDS[] =
    "ALTER TABLE versions ADD COLUMN agents_json TEXT;"
    "CREATE TABLE agent_landmarks( mesh INTEGER NOT NULL, version INTEGER NOT NULL, agent INTEGER"
    " NOT NULL, fingerprint INTEGER NOT NULL, bytes INTEGER NOT NULL, zstd BLOB NOT NULL, PRIMARY"
    " KEY (mesh, version, agent), FOREIGN KEY (mesh, version) REFERENCES versions(mesh, version) ON"
    " DELETE CASCADE );"
    "CREATE INDEX agent_landmarks_by_fingerprint ON agent_landmarks(fingerprint);";
