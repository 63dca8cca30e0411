// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_flat.c: a configuration file of any bytes. Each value that is given has a key and a text.

#include "proto/json/document.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

static void take(void *user, const proto_flat *value)
{
    *(size_t *)user += strlen(value->key) + strlen(value->text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    size_t total = 0;
    nav_error err;
    (void)proto_flat_read((const char *)bytes, size_bytes, take, &total, &err);
    return 0;
}
