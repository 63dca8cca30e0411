// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// preset.h: the coordinates of a preset by its word, "y_up", "z_up" ... Triangles are not reversed.

#pragma once

// cmocka.h needs these, in this order.
// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include "proto/base/coordinates.h"

#include <string.h>

static inline nav_coordinates coordinates_of(const char *word)
{
    nav_coordinates coordinates = nav_coordinates_default();
    uint32_t i = 0;
    while (proto_preset_at(i) != NULL && strcmp(proto_preset_at(i)->word, word) != 0) {
        i++;
    }
    assert_non_null(proto_preset_at(i));
    memcpy(coordinates.axes, proto_preset_at(i)->axes, sizeof coordinates.axes);
    coordinates.scale = proto_preset_at(i)->scale;
    return coordinates;
}
