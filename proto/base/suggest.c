// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// suggest.c: the name that was probably meant. Names are compared without case, '_' and '-', so
// that cellSize is cell_size; then by the words of other programs; then by the optimal string
// alignment distance (Damerau 1964; Boytsov 2011, section 2), which counts two letters in the wrong
// order as one mistake.

#include "proto/base/suggest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// What others call it: Recast and its demo, Detour, engines, TrinityCore, common sense. In
// lower case, without '_' and '-'. A word may stand for several names: the one that is proposed is
// the first that is offered, from those that there are where the word is used.
static const struct {
    const char *theirs, *ours;
} WORDS[] = {
    // settings
    {"cs", "cell_size"},
    {"voxelsize", "cell_size"},
    {"ch", "cell_height"},
    {"voxelheight", "cell_height"},
    {"agentradius", "radius"},
    {"walkableradius", "radius"},
    {"agentwidth", "radius"},
    {"agentheight", "height"},
    {"walkableheight", "height"},
    {"walkableclimb", "max_climb"},
    {"agentmaxclimb", "max_climb"},
    {"agentclimb", "max_climb"},
    {"agentmaxstepheight", "max_climb"},
    {"maxstepheight", "max_climb"},
    {"stepheight", "max_climb"},
    {"climb", "max_climb"},
    {"walkableslope", "max_slope"},
    {"walkableslopeangle", "max_slope"},
    {"agentmaxslope", "max_slope"},
    {"agentslope", "max_slope"},
    {"maxslopeangle", "max_slope"},
    {"slope", "max_slope"},
    {"minregionarea", "region_min_size"},
    {"minregionsize", "region_min_size"},
    {"mergeregionarea", "region_merge_size"},
    {"mergeregionsize", "region_merge_size"},
    {"regionmergearea", "region_merge_size"},
    {"maxedgelen", "edge_max_length"},
    {"maxedgelength", "edge_max_length"},
    {"edgemaxlen", "edge_max_length"},
    {"maxsimplificationerror", "edge_max_error"},
    {"maxedgeerror", "edge_max_error"},
    {"maxvertsperpoly", "polygon_max_vertices"},
    {"vertsperpoly", "polygon_max_vertices"},
    {"nvp", "polygon_max_vertices"},
    {"detailsampledist", "detail_sample_distance"},
    {"detailsamplemaxerror", "detail_max_error"},
    {"detailsampleerror", "detail_max_error"},
    {"partitiontype", "partition"},
    {"partitioning", "partition"},
    {"filterlowhangingobstacles", "low_hanging"},
    {"filterledgespans", "ledges"},
    {"filterwalkablelowheightspans", "low_height"},
    {"tilesize", "tile_cells"},
    {"tilewidth", "tile_cells"},
    {"offmeshconnections", "links"},
    {"offmeshlinks", "links"},
    {"navlinks", "links"},
    {"connections", "links"},
    {"jumplinks", "links"},
    {"upaxis", "coordinates"},
    {"axes", "coordinates"},
    {"axis", "coordinates"},
    {"up", "coordinates"},
    {"units", "scale"},
    {"unitscale", "scale"},
    {"areacosts", "areas"},
    {"doors", "switches"},
    {"gates", "switches"},
    // questions
    {"from", "start"},
    {"startpos", "start"},
    {"startposition", "start"},
    {"startpoint", "start"},
    {"source", "start"},
    {"src", "start"},
    {"origin", "start"},
    {"begin", "start"},
    {"to", "end"},
    {"endpos", "end"},
    {"endposition", "end"},
    {"endpoint", "end"},
    {"goal", "end"},
    {"target", "end"},
    {"destination", "end"},
    {"dest", "end"},
    {"dst", "end"},
    {"finish", "end"},
    {"position", "point"},
    {"pos", "point"},
    {"location", "point"},
    {"center", "point"},
    {"centre", "point"},
    {"start", "point"},
    {"point", "start"},
    {"position", "center"},
    {"pos", "center"},
    {"point", "center"},
    {"position", "start"},
    {"pos", "start"},
    {"extents", "snap"},
    {"extent", "snap"},
    {"halfextents", "snap"},
    {"searchextents", "snap"},
    {"polypickext", "snap"},
    {"tolerance", "snap"},
    {"method", "search"},
    {"algorithm", "search"},
    {"mode", "search"},
    {"timeout", "deadline_ms"},
    {"timeoutms", "deadline_ms"},
    {"timelimit", "deadline_ms"},
    {"maxdistance", "max_length"},
    {"maxpathlength", "max_length"},
    {"maxdistance", "max_radius"},
    {"radius", "max_radius"},
    {"maxresults", "count"},
    {"limit", "count"},
    {"k", "count"},
    {"n", "count"},
    {"queryfilter", "filter"},
    {"includeflags", "include"},
    {"excludeflags", "exclude"},
    {"areacosts", "costs"},
    {"costs", "area_costs"},
    {"obstacles", "avoid"},
    {"blockers", "avoid"},
    {"avoid", "obstacles"},
    {"agenttype", "agent"},
    {"agentname", "agent"},
    {"agentid", "agent"},
    {"requests", "queries"},
    {"questions", "queries"},
    {"paths", "queries"},
    {"starts", "sources"},
    {"origins", "sources"},
    {"froms", "sources"},
    {"ends", "targets"},
    {"goals", "targets"},
    {"destinations", "targets"},
    {"positions", "points"},
    {"points", "positions"},
    {"times", "times_ms"},
    {"timestamps", "times_ms"},
    {"speed", "max_speed"},
    {"type", "kind"},
    {"query", "kind"},
    {"type", "shape"},
    {"twoway", "bidirectional"},
    {"bidir", "bidirectional"},
    {"name", "id"},
    // geometry, instances, versions
    {"positions", "vertices"},
    {"verts", "vertices"},
    {"faces", "triangles"},
    {"indices", "triangles"},
    {"tris", "triangles"},
    {"settings", "config"},
    {"file", "geometry"},
    {"mesh", "geometry"},
    {"level", "geometry"},
    {"model", "geometry"},
    {"ttl", "expires_in_s"},
    {"expires", "expires_in_s"},
    {"doors", "switches"},
    {"sync", "wait"},
    {"live", "activate"},
    {"publish", "activate"},
    {"cache", "reuse"},
    // options of the command line
    {"port", "listen"},
    {"host", "listen"},
    {"bind", "listen"},
    {"address", "listen"},
    {"database", "db"},
    {"threads", "workers"},
    {"map", "mesh"},
    {"level", "mesh"},
    // words
    {"ue", "unreal"},
    {"ue4", "unreal"},
    {"ue5", "unreal"},
    {"shortest", "exact"},
    {"optimal", "exact"},
    {"sphere", "circle"},
    {"disc", "circle"},
    {"cylinder", "circle"},
    {"circle", "cylinder"},
    {"sphere", "cylinder"},
    {"aabb", "box"},
    {"rectangle", "box"},
    {"polygon", "convex"},
    {"null", "none"},
    {"unwalkable", "none"},
    {"walkable", "ground"},
};

#define WORD_COUNT (sizeof WORDS / sizeof WORDS[0])

// How good a name is, best first; wrong letters are counted from DISTANCE_LETTERS on.
enum {
    DISTANCE_SPELLING,
    DISTANCE_WITHIN, // the last part of a name with dots, or all its parts in one
    DISTANCE_WORD,
    DISTANCE_LETTERS,
    DISTANCE_BEGINNING = DISTANCE_LETTERS + 4,
};

#define BEGINNING_BYTES_MIN 3

// Small letters without '_' and '-', and without dots where dots are not kept. Returns the length.
static size_t plain(const char *text, size_t length, bool keep_dots, char out[PROTO_SUGGEST_BYTES])
{
    size_t used = 0;
    for (size_t i = 0; i < length && used + 1 < PROTO_SUGGEST_BYTES; i++) {
        if (text[i] != '_' && text[i] != '-' && text[i] != ' ' && (keep_dots || text[i] != '.')) {
            out[used++] = (char)tolower((unsigned char)text[i]);
        }
    }
    out[used] = '\0';
    return used;
}

// ---- wrong letters ----

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

// How many letters of the shorter word may be wrong.
static uint32_t mistakes_max(size_t length)
{
    return length < 3 ? 0 : length < 5 ? 1 : length < 9 ? 2 : 3;
}

static uint32_t distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
    const size_t shorter = a_length < b_length ? a_length : b_length;
    const uint32_t most = mistakes_max(shorter);
    if (a_length + b_length - 2 * shorter > most) {
        return NAV_NONE;
    }
    const uint32_t distance = align(a, a_length, b, b_length);
    return distance <= most ? distance : NAV_NONE;
}

uint32_t proto_suggest_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    char first[PROTO_SUGGEST_BYTES], second[PROTO_SUGGEST_BYTES];
    const size_t first_length = plain(a, a_length, true, first);
    const size_t second_length = plain(b, b_length, true, second);
    const size_t shorter = first_length < second_length ? first_length : second_length;
    if (shorter >= BEGINNING_BYTES_MIN && memcmp(first, second, shorter) == 0) {
        return (uint32_t)(first_length + second_length - 2 * shorter);
    }
    return distance_of(first, first_length, second, second_length);
}

// ---- names ----

static bool is_their_word(const char *wrong, const char *name)
{
    for (size_t i = 0; i < WORD_COUNT; i++) {
        char ours[PROTO_SUGGEST_BYTES];
        if (strcmp(WORDS[i].theirs, wrong) == 0) {
            plain(WORDS[i].ours, strlen(WORDS[i].ours), true, ours);
            if (strcmp(ours, name) == 0) {
                return true;
            }
        }
    }
    return false;
}

// How far the wrong name is from this one; NAV_NONE: it is another.
static uint32_t judge(const char *wrong, const char *name, const char *joined)
{
    const size_t wrong_length = strlen(wrong), length = strlen(name);
    const char *dot = strrchr(name, '.');
    const char *const last = dot != NULL ? dot + 1 : name;
    if (strcmp(wrong, name) == 0) {
        return DISTANCE_SPELLING;
    }
    if (strcmp(wrong, last) == 0 || strcmp(wrong, joined) == 0) {
        return DISTANCE_WITHIN;
    }
    if (is_their_word(wrong, last)) {
        return DISTANCE_WORD;
    }
    uint32_t letters = distance_of(wrong, wrong_length, name, length);
    if (last != name) {
        letters = least(letters, distance_of(wrong, wrong_length, last, strlen(last)));
    }
    if (letters != NAV_NONE) {
        return DISTANCE_LETTERS + letters;
    }
    return wrong_length >= BEGINNING_BYTES_MIN && strncmp(wrong, name, wrong_length) == 0
               ? DISTANCE_BEGINNING
               : NAV_NONE;
}

proto_suggestion proto_suggest(const char *wrong, size_t length)
{
    proto_suggestion s = {.distance = NAV_NONE};
    plain(wrong, length, true, s.wrong);
    return s;
}

void proto_suggest_offer(proto_suggestion *s, const char *name, size_t length)
{
    char spelling[PROTO_SUGGEST_BYTES], joined[PROTO_SUGGEST_BYTES];
    if (length == 0 || length >= PROTO_SUGGEST_BYTES || s->wrong[0] == '\0') {
        return;
    }
    plain(name, length, true, spelling);
    plain(name, length, false, joined);
    const uint32_t distance = judge(s->wrong, spelling, joined);
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

void proto_suggest_tell(const proto_suggestion *s, nav_error *err)
{
    char hint[PROTO_HINT_BYTES];
    if (err == NULL || s->best[0] == '\0') {
        return;
    }
    proto_suggest_hint(s, hint);
    // A long sentence loses its end before the hint does.
    const size_t room = sizeof err->detail - 1 - strlen(hint);
    const size_t length = strlen(err->detail);
    (void)stpcpy(err->detail + (length < room ? length : room), hint);
    nav_error_suggest(err, "%s", s->best);
}
