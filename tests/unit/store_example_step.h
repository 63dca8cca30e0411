// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// store_example_step.h: a schema one step ahead of the program's, since there is no older one yet:
// files that the program writes are old to it.

#pragma once

#include "server/store/db.h"

#define EXAMPLE_NUMBER (STORE_SCHEMA_FIRST + 1)
#define EXAMPLE_SUFFIX "-before-10" // of the file as it was

static inline store_schema store_example_schema(void)
{
    static const char *const steps[] = {
        "ALTER TABLE meshes ADD COLUMN note TEXT; UPDATE meshes SET note = 'moved ' || name"};
    return (store_schema){.tables = STORE_SCHEMA.tables, .steps = steps, .step_count = 1};
}
