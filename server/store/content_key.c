// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// content_key.c: what names a bake.

#include "server/store/store.h"

#include <string.h>

// Part of every content key: a bake that gives other bytes for the same input must change it.
#define BAKE_FORMAT "navmeshd bake 2"

void store_content_key(const uint8_t geometry_hash[32], const char *config_json, uint8_t key[32])
{
    nav_sha256 hash;
    nav_sha256_init(&hash);
    nav_sha256_add(&hash, geometry_hash, 32);
    nav_sha256_add(&hash, config_json, strlen(config_json));
    nav_sha256_add(&hash, BAKE_FORMAT, sizeof BAKE_FORMAT);
    nav_sha256_end(&hash, key);
}
