// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// suggest.c: the name that was probably meant. Names are compared without case, '_', '-' and dots,
// so that cellSize is cell_size; then by the words of other programs; then by the optimal string
// alignment distance (Damerau 1964; Boytsov 2011, section 2), which counts two letters in the wrong
// order as one mistake.

#include "proto/base/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// Names that Recast, Detour, engines and common sense use, where no count of letters finds ours. A
// word may stand for several names: the first that is offered is proposed.
static const struct {
    const char *ours, *theirs; // without '_'; each between blanks
} WORDS[] = {
    {"cellsize", " cs "},
    {"cellheight", " ch "},
    {"radius", " walkableradius agentradius "},
    {"height", " walkableheight agentheight "},
    {"maxclimb", " walkableclimb agentmaxclimb "},
    {"maxslope", " walkableslopeangle agentmaxslope slope "},
    {"regionminsize", " minregionarea "},
    {"regionmergesize", " mergeregionarea "},
    {"edgemaxlength", " maxedgelen "},
    {"edgemaxerror", " maxsimplificationerror "},
    {"polygonmaxvertices", " maxvertsperpoly "},
    {"detailmaxerror", " detailsamplemaxerror "},
    {"tilecells", " tilesize "},
    {"links", " offmeshconnections "},
    {"coordinates", " upaxis "},
    {"scale", " units "},
    {"switches", " doors "},
    {"start", " from source origin position "},
    {"end", " to goal target destination "},
    {"point", " position pos "},
    {"center", " position pos "},
    {"snap", " halfextents polypickext "},
    {"search", " method "},
    {"deadlinems", " timeout "},
    {"maxlength", " maxdistance "},
    {"avoid", " obstacles "},
    {"queries", " requests "},
    {"kind", " type "},
    {"shape", " type "},
    {"vertices", " verts positions "},
    {"triangles", " faces indices tris "},
    {"geometry", " file mesh level model "},
    {"listen", " port host "},
    {"exact", " shortest "},
    {"circle", " cylinder sphere "},
};

// How good a name is, best first; wrong letters are counted from DISTANCE_LETTERS on.
enum {
    DISTANCE_SPELLING,
    DISTANCE_WITHIN, // the last part of a name with dots
    DISTANCE_WORD,
    DISTANCE_LETTERS,
};

#define BEGINNING_BYTES_MIN 3

// Small letters without '_', '-', blanks and dots. Returns the length.
static size_t plain(const char *text, size_t length, char out[PROTO_SUGGEST_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < PROTO_SUGGEST_BYTES; i++) {
        if (text[i] != '_' && text[i] != '-' && text[i] != ' ' && text[i] != '.') {
            out[used++] = (char)tolower((unsigned char)text[i]);
        }
    }
    out[used] = '\0';
    return used;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

// The optimal string alignment distance, of three rows of its table.
static uint32_t align(const char *a, size_t a_length, const char *b, size_t b_length)
{
    uint32_t rows[3][PROTO_SUGGEST_BYTES];
    NAV_ASSERT(a_length < PROTO_SUGGEST_BYTES && b_length < PROTO_SUGGEST_BYTES);
    for (size_t k = 0; k <= b_length; k++) {
        rows[0][k] = (uint32_t)k;
    }
    for (size_t i = 1; i <= a_length; i++) {
        uint32_t *const row = rows[i % 3];
        const uint32_t *const above = rows[(i + 2) % 3], *const earlier = rows[(i + 1) % 3];
        row[0] = (uint32_t)i;
        for (size_t k = 1; k <= b_length; k++) {
            row[k] = least(above[k - 1] + (a[i - 1] != b[k - 1]), least(above[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1]) {
                row[k] = least(row[k], earlier[k - 2] + 1);
            }
        }
    }
    return rows[a_length % 3][b_length];
}

uint32_t proto_suggest_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    char first[PROTO_SUGGEST_BYTES], second[PROTO_SUGGEST_BYTES];
    a_length = plain(a, a_length, first);
    b_length = plain(b, b_length, second);
    const size_t shorter = a_length < b_length ? a_length : b_length;
    const uint32_t more = (uint32_t)(a_length + b_length - 2 * shorter);
    if (shorter >= BEGINNING_BYTES_MIN && memcmp(first, second, shorter) == 0) {
        return more;
    }
    // How many letters of the shorter word may be wrong.
    const uint32_t most = shorter < 3 ? 0 : shorter < 5 ? 1 : shorter < 9 ? 2 : 3;
    const uint32_t wrong = more <= most ? align(first, a_length, second, b_length) : NAV_NONE;
    return wrong <= most ? wrong : NAV_NONE;
}

static bool is_their_word(const char *wrong, const char *name)
{
    char word[PROTO_SUGGEST_BYTES + 2];
    (void)snprintf(word, sizeof word, " %s ", wrong);
    for (size_t i = 0; i < sizeof WORDS / sizeof WORDS[0]; i++) {
        if (strcmp(WORDS[i].ours, name) == 0 && strstr(WORDS[i].theirs, word) != NULL) {
            return true;
        }
    }
    return false;
}

// How far the wrong name, which is plain, is from this one; NAV_NONE: it is another.
static uint32_t judge(const char *wrong, const char *name, size_t length)
{
    char whole[PROTO_SUGGEST_BYTES], last[PROTO_SUGGEST_BYTES];
    const char *const dot = memrchr(name, '.', length);
    const size_t before = dot != NULL ? (size_t)(dot + 1 - name) : 0;
    const size_t whole_length = plain(name, length, whole);
    const size_t last_length = plain(name + before, length - before, last);
    if (strcmp(wrong, whole) == 0) {
        return DISTANCE_SPELLING;
    }
    if (strcmp(wrong, last) == 0) {
        return DISTANCE_WITHIN;
    }
    if (is_their_word(wrong, last)) {
        return DISTANCE_WORD;
    }
    const size_t wrong_length = strlen(wrong);
    const uint32_t letters = least(proto_suggest_distance(wrong, wrong_length, whole, whole_length),
                                   proto_suggest_distance(wrong, wrong_length, last, last_length));
    return letters != NAV_NONE ? DISTANCE_LETTERS + letters : NAV_NONE;
}

proto_suggestion proto_suggest(const char *wrong, size_t length)
{
    proto_suggestion s = {.distance = NAV_NONE};
    plain(wrong, length, s.wrong);
    return s;
}

void proto_suggest_offer(proto_suggestion *s, const char *name, size_t length)
{
    if (length == 0 || length >= PROTO_SUGGEST_BYTES || s->wrong[0] == '\0') {
        return;
    }
    const uint32_t distance = judge(s->wrong, name, length);
    if (distance < s->distance) {
        s->distance = distance;
        memcpy(s->best, name, length);
        s->best[length] = '\0';
    }
}

const char *proto_suggest_hint(const proto_suggestion *s, char out[PROTO_HINT_BYTES])
{
    out[0] = '\0';
    if (s->best[0] != '\0') {
        (void)snprintf(out, PROTO_HINT_BYTES, "; did you mean \"%s\"?", s->best);
    }
    return out;
}

void proto_suggest_say(const proto_suggestion *s, nav_error *err)
{
    char hint[PROTO_HINT_BYTES];
    if (err == NULL || s->best[0] == '\0') {
        return;
    }
    proto_suggest_hint(s, hint);
    // A long sentence loses its end before the hint does.
    const size_t space = sizeof err->detail - 1 - strlen(hint);
    const size_t length = strlen(err->detail);
    (void)stpcpy(err->detail + (length < space ? length : space), hint);
    nav_error_suggest(err, "%s", s->best);
}
