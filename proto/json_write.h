// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// json_write.h: the writer below JSON's commas, for the other writers of this folder. Private to
// proto/.

#pragma once

#include "proto/proto.h"

// Appends a number without the comma before it; not finite appends 0.
void proto_writer_put_fixed(proto_writer *w, double value, int decimals);
// A key that is known when this is compiled and needs no escapes, with one copy:
// PROTO_PUT_KEY(w, "length").
#define PROTO_PUT_KEY(w, key) proto_writer_put_key((w), "\"" key "\":", sizeof(key) + 2)
void proto_writer_put_key(proto_writer *w, const char *quoted, size_t size_bytes);
