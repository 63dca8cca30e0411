// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_flat.c: a configuration file of any bytes. Each value that is given has a key and a text.
// The bytes are also a part of a level and the description of a geometry.

#include "proto/geometry/parts.h"
#include "proto/json/document.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

static void take(void *user, const proto_flat *value)
{
    *(size_t *)user += strlen(value->key) + strlen(value->text);
}

static void read_parts(const char *text)
{
    proto_geometry_part part = proto_part_default(), *parts;
    char *file = NULL;
    uint32_t count;
    nav_error err;
    (void)proto_part_read(text, strlen(text), &part, &file, &err);
    free(file);
    if (proto_parts_read_list(text, &parts, &count, &err) == NAV_OK) {
        NAV_ASSERT(count <= PROTO_PARTS_MAX);
        free(parts);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    size_t total = 0;
    nav_error err;
    (void)proto_flat_read((const char *)bytes, size_bytes, take, &total, &err);
    char *text = strndup((const char *)bytes, size_bytes);
    if (text != NULL) {
        read_parts(text);
        free(text);
    }
    return 0;
}
