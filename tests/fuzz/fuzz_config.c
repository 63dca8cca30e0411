// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_config.c: settings as JSON; what is read must survive being written and read again, and is
// then written the same.

#include "proto/settings/config.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

static char *write_config(const nav_config *config, size_t *size_bytes)
{
    proto_writer w;
    proto_writer_init(&w);
    proto_write_config(&w, config);
    return proto_writer_take(&w, size_bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    nav_arena memory;
    nav_arena_init(&memory, NULL, 64u << 20);
    nav_config config = nav_config_default();
    if (proto_config_read((const char *)bytes, size_bytes, &memory, &config, NULL) == NAV_OK &&
        nav_config_check(&config, NULL) == NAV_OK) {
        size_t text_bytes, again_bytes;
        char *text = write_config(&config, &text_bytes);
        nav_config again = nav_config_default();
        if (text == NULL || proto_config_read(text, text_bytes, &memory, &again, NULL) != NAV_OK ||
            nav_config_check(&again, NULL) != NAV_OK) {
            abort();
        }
        char *second = write_config(&again, &again_bytes);
        if (second == NULL || strcmp(text, second) != 0) {
            abort();
        }
        free(text);
        free(second);
    }
    nav_arena_free(&memory);
    return 0;
}
