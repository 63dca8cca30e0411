// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_config.c: settings as JSON; what is read must survive being written and read again.

#include "proto/proto.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    nav_config config = nav_config_default();
    if (proto_config_read((const char *)bytes, size_bytes, &config, NULL) != NAV_OK) {
        return 0;
    }
    proto_writer w;
    proto_writer_init(&w);
    proto_write_config(&w, &config);
    size_t text_bytes;
    char *text = proto_writer_take(&w, &text_bytes);
    nav_config again = nav_config_default();
    if (text == NULL || proto_config_read(text, text_bytes, &again, NULL) != NAV_OK ||
        again.cell_size != config.cell_size || again.tile_cells != config.tile_cells) {
        abort();
    }
    free(text);
    return 0;
}
