// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// json_write.h: the writer below JSON's commas, for the other writers of this folder. Private to
// proto/.

#pragma once

#include "proto/proto.h"

// Appends a number without the comma before it; not finite appends 0.
void proto_writer_put_fixed(proto_writer *w, double value, int decimals);
