// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// suggest.h: the name that was probably meant, among those that there are. For errors only: it is
// searched once something is wrong. Private to proto/ and server/.
//
//   proto_suggestion s = proto_suggest("cellSize", 8);
//   for each name that there is:  proto_suggest_offer(&s, name, strlen(name));
//   proto_suggest_say(&s, err);                  ... ; did you mean "cell_size"?

#pragma once

#include "proto/base/status.h"

// Only the beginning of a longer wrong name counts; longer names are not proposed.
#define PROTO_SUGGEST_BYTES 64

typedef struct proto_suggestion {
    char wrong[PROTO_SUGGEST_BYTES]; // in lower case, without '_', '-' and dots
    char best[PROTO_SUGGEST_BYTES];  // as it was offered; "" where none is like the wrong one
    uint32_t distance;               // of the best
} proto_suggestion;

// The bytes may be any, and need no zero behind them.
proto_suggestion proto_suggest(const char *wrong, size_t length);
// A name that there is; "agent.radius" is also found by "radius" and "agentRadius". The first of
// equally good ones stays. A name is meant if letters' case, '_' and '-' are all that differs, if
// other programs call it so (suggest.c has their words), or if few letters are wrong or one is the
// beginning of the other.
void proto_suggest_offer(proto_suggestion *s, const char *name, size_t length);
// "; did you mean \"cell_size\"?" for a sentence, or "".
#define PROTO_HINT_BYTES (PROTO_SUGGEST_BYTES + 24)
const char *proto_suggest_hint(const proto_suggestion *s, char out[PROTO_HINT_BYTES]);
// Ends the sentence of an error with the hint, and puts the name into err->suggest. Nothing where
// none was found. err may be NULL.
void proto_suggest_say(const proto_suggestion *s, nav_error *err);

// How many letters are wrong, left out, too many or exchanged with the next; NAV_NONE: too many for
// a word of that length to be meant, unless one is the beginning of the other. Case, '_', '-' and
// dots do not count.
uint32_t proto_suggest_distance(const char *a, size_t a_length, const char *b, size_t b_length);
