// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// formats.c: the formats that are read, by their media types, by the endings of file names and by
// their first bytes. Bytes that plainly are something else than their sender says are named.
//
//   what the sender says        first bytes          outcome
//   a format                    of that format       that format
//   a format                    of a known other     refused: "this is ASCII PLY, not OBJ: ..."
//   a format                    of nothing known     that format, whose reader says what is wrong
//   nothing                     of a format          that format
//   nothing                     of a known other     refused: "this is a PNG image: ..."
//   nothing                     other text           OBJ, which has no first bytes of its own
//   nothing                     other bytes          binary STL if they could be its records; else
//                                                    refused
//
// Binary STL has no first bytes of its own either: 80 of any kind, then the count of triangles. The
// highest byte of a count that can be read is no character, so no text can be mistaken for it.
//
// Sources: the formats' own pages; for what is not read, the list of signatures of the file
// command.

#include "proto/base/bytes.h"
#include "proto/geometry/geometry.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- what a sender can say ----

// A new format is a row here, one in KINDS below, and a name here.
#define READ_NAMES "OBJ, JSON, STL, PLY, binary glTF, packed geometry or Detour's tiles"
#define NAMES_MAX 2u
static const struct format_row {
    const char *word; // in replies
    const char *name; // in sentences
    const char *endings[NAMES_MAX];
    const char *media_types[NAMES_MAX]; // the first is the one that is proposed
} FORMATS[] = {
    [PROTO_FORMAT_OBJ] = {"obj", "OBJ", {".obj"}, {"model/obj", "text/plain"}},
    [PROTO_FORMAT_JSON] = {"json", "JSON", {".json"}, {"application/json"}},
    [PROTO_FORMAT_PACKED] = {"packed",
                             "packed geometry",
                             {".navg"},
                             {"application/vnd.navmeshd.geometry"}},
    [PROTO_FORMAT_STL] = {"stl", "STL", {".stl"}, {"model/stl"}},
    [PROTO_FORMAT_PLY] = {"ply", "PLY", {".ply"}, {"model/ply", "application/x-ply"}},
    [PROTO_FORMAT_GLB] = {"glb",
                          "glTF",
                          {".glb", ".gltf"},
                          {"model/gltf-binary", "model/gltf+json"}},
    [PROTO_FORMAT_MSET] = {"mset",
                           "a set of Detour's tiles (MSET)",
                           {".mset", ".bin"},
                           {"application/vnd.detour.mset"}},
    [PROTO_FORMAT_MMTILE] = {"mmtile",
                             "a tar archive of .mmap and .mmtile files",
                             {".tar"},
                             {"application/x-tar"}},
};
#define FORMAT_COUNT (sizeof FORMATS / sizeof FORMATS[0])

_Static_assert(FORMAT_COUNT == PROTO_FORMAT_UNKNOWN, "each format has a row");

const char *proto_format_word(proto_format format)
{
    if (format == PROTO_FORMAT_PARTS) {
        return "parts";
    }
    NAV_ASSERT((unsigned)format < FORMAT_COUNT);
    return FORMATS[format].word;
}

const char *proto_format_media_type(proto_format format, uint32_t number)
{
    NAV_ASSERT((unsigned)format < FORMAT_COUNT);
    return number < NAMES_MAX ? FORMATS[format].media_types[number] : NULL;
}

const char *proto_format_ending(proto_format format, uint32_t number)
{
    NAV_ASSERT((unsigned)format < FORMAT_COUNT);
    return number < NAMES_MAX ? FORMATS[format].endings[number] : NULL;
}

void proto_format_types(char *out, size_t space)
{
    size_t length = 0;
    out[0] = '\0';
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        const int more = snprintf(out + length, space - length, "%s%s", i > 0 ? ", " : "",
                                  FORMATS[i].media_types[0]);
        NAV_ASSERT(more > 0 && (size_t)more < space - length);
        length += (size_t)more;
    }
}

// ---- what first bytes say ----

typedef enum how_known {
    AT_START, // bytes that could not open a text, or one without blanks before it
    AS_TEXT,  // behind a byte order mark and blanks
    AT_257,   // where a tar file has its name; asked only where nothing is said
} how_known;

static const struct kind {
    how_known how;
    const char *bytes;
    uint8_t size_bytes;
    proto_format format; // PROTO_FORMAT_UNKNOWN: it is not read
    const char *name;    // behind "this is "
    const char *advice;  // NULL: to send a format that is read
} KINDS[] = {
#define IS(how, bytes, format, name)                                                               \
    {                                                                                              \
        how, bytes, sizeof bytes - 1, PROTO_FORMAT_##format, name, NULL                            \
    }
#define NOT_READ(how, bytes, name, advice)                                                         \
    {                                                                                              \
        how, bytes, sizeof bytes - 1, PROTO_FORMAT_UNKNOWN, name, advice                           \
    }
    IS(AT_START, "NAVG", PACKED, "packed geometry"),
    IS(AT_START, "glTF", GLB, "binary glTF"),
    IS(AS_TEXT, "{", JSON, "JSON"),
    IS(AS_TEXT, "solid ", STL, "STL as text"),
    IS(AS_TEXT, "solid\n", STL, "STL as text"),
    IS(AS_TEXT, "solid\r", STL, "STL as text"),
    IS(AS_TEXT, "SOLID ", STL, "STL as text"),
    IS(AS_TEXT, "v ", OBJ, "OBJ"),
    IS(AS_TEXT, "mtllib ", OBJ, "OBJ"),
    IS(AT_START, "ply\nformat ascii", PLY, "ASCII PLY"),
    IS(AT_START, "ply\r\nformat ascii", PLY, "ASCII PLY"),
    IS(AT_START, "ply\nformat binary", PLY, "binary PLY"),
    IS(AT_START, "ply\r\nformat binary", PLY, "binary PLY"),
    IS(AT_START, "ply\n", PLY, "PLY"),
    IS(AT_START, "ply\r", PLY, "PLY"),
    // Levels that other programs write.
    NOT_READ(AT_START, "Kaydara FBX Binary", "FBX", "export it as binary glTF (.glb) or OBJ"),
    NOT_READ(AS_TEXT, "; FBX", "FBX as text", "export it as binary glTF (.glb) or OBJ"),
    NOT_READ(AT_START, "BLENDER-", "a Blender file", "export it as binary glTF (.glb) or OBJ"),
    NOT_READ(AT_START, "BLENDER_", "a Blender file", "export it as binary glTF (.glb) or OBJ"),
    NOT_READ(AT_START, "BLENDER17-", "a Blender file", "export it as binary glTF (.glb) or OBJ"),
    NOT_READ(AT_START, "PXR-USDC", "binary USD", "export it as binary glTF (.glb) or OBJ"),
    NOT_READ(AS_TEXT, "#usda ", "USD as text", "export it as binary glTF (.glb) or OBJ"),
    NOT_READ(AS_TEXT, "#VRML ", "VRML", "export it as binary glTF (.glb) or OBJ"),
    NOT_READ(AS_TEXT, "OFF\n", "an OFF mesh", "export it as binary glTF (.glb) or OBJ"),
    NOT_READ(AS_TEXT, "OFF\r", "an OFF mesh", "export it as binary glTF (.glb) or OBJ"),
    NOT_READ(AS_TEXT, "<", "XML or HTML (COLLADA?)", "export it as binary glTF (.glb) or OBJ"),
    // Detour's tiles.
    IS(AT_START, "TESM", MSET, "a set of Detour's tiles (MSET)"),
    IS(AT_257, "ustar", MMTILE, "a tar archive"),
    NOT_READ(AT_START, "PAMM", "an .mmap or .mmtile file",
             "send those of one map together, as a tar archive"),
    // Packed files.
    NOT_READ(AT_START, "\x28\xb5\x2f\xfd", "zstd data",
             "send it with Content-Encoding: zstd, or unpack it"),
    NOT_READ(AT_START, "\x1f\x8b", "gzip data", "unpack it; Content-Encoding may be zstd"),
    NOT_READ(AT_START, "PK\x03\x04", "a zip archive", "unpack it, and send the level within"),
    NOT_READ(AT_START, "BZh", "bzip2 data", "unpack it"),
    NOT_READ(AT_START,
             "\xfd"
             "7zXZ",
             "xz data", "unpack it"),
    NOT_READ(AT_START, "7z\xbc\xaf", "a 7z archive", "unpack it, and send the level within"),
    NOT_READ(AT_START, "Rar!", "a rar archive", "unpack it, and send the level within"),
    // Other things.
    NOT_READ(AT_START, "\x89PNG", "a PNG image", NULL),
    NOT_READ(AT_START, "\xff\xd8\xff", "a JPEG image", NULL),
    NOT_READ(AT_START, "GIF8", "a GIF image", NULL),
    NOT_READ(AT_START, "%PDF", "a PDF document", NULL),
    NOT_READ(AT_START,
             "\x7f"
             "ELF",
             "a program", NULL),
    NOT_READ(AT_START, "SQLite format 3", "a SQLite database", NULL),
    NOT_READ(AT_START, "\xff\xfe", "text in UTF-16", "save it as UTF-8"),
    NOT_READ(AT_START, "\xfe\xff", "text in UTF-16", "save it as UTF-8"),
#undef IS
#undef NOT_READ
};
// JSON with other members than ours.
static const struct kind GLTF = {
    .how = AS_TEXT, .format = PROTO_FORMAT_GLB, .name = "glTF as text"};
#define KIND_COUNT (sizeof KINDS / sizeof KINDS[0])

typedef enum finding {
    FOUND,
    NOTHING,
    MORE, // the bytes that are there could become one or the other
} finding;

typedef struct head {
    const uint8_t *bytes;
    size_t size_bytes;
    bool whole; // nothing follows, or nothing more is read
} head;

static bool is_blank(uint8_t c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// The byte may be of UTF-8 or one of its forerunners.
static bool is_text(uint8_t c)
{
    return is_blank(c) || (c > ' ' && c != 0x7f && c < 0xf5);
}

// Whether bytes lie at a place; MORE where the head ends within them.
static finding compare(const head *h, size_t at, const char *bytes, size_t size_bytes)
{
    const size_t there = h->size_bytes > at ? h->size_bytes - at : 0;
    const size_t compared = there < size_bytes ? there : size_bytes;
    if (compared > 0 && memcmp(h->bytes + at, bytes, compared) != 0) {
        return NOTHING;
    }
    return compared == size_bytes ? FOUND : h->whole ? NOTHING : MORE;
}

// The beginning of a text, behind a byte order mark and blanks; NOTHING: it is all blank.
static finding find_text(const head *h, size_t *at)
{
    const finding mark = compare(h, 0, "\xef\xbb\xbf", 3);
    if (mark == MORE) {
        return MORE;
    }
    size_t i = mark == FOUND ? 3 : 0;
    while (i < h->size_bytes && is_blank(h->bytes[i])) {
        i++;
    }
    *at = i;
    return i < h->size_bytes ? FOUND : h->whole ? NOTHING : MORE;
}

// Whether JSON whose brace is at a place begins with a member that glTF has, and we do not.
static finding find_gltf(const head *h, size_t at)
{
    static const char *const members[] = {"asset",
                                          "scene",
                                          "scenes",
                                          "nodes",
                                          "meshes",
                                          "accessors",
                                          "buffers",
                                          "bufferViews",
                                          "materials",
                                          "textures",
                                          "images",
                                          "samplers",
                                          "animations",
                                          "skins",
                                          "cameras",
                                          "extensions",
                                          "extras",
                                          "extensionsUsed",
                                          "extensionsRequired"};
    size_t i = at + 1;
    while (i < h->size_bytes && is_blank(h->bytes[i])) {
        i++;
    }
    if (i == h->size_bytes) {
        return h->whole ? NOTHING : MORE;
    }
    finding all = NOTHING;
    for (size_t k = 0; k < sizeof members / sizeof members[0]; k++) {
        char quoted[32];
        const int length = snprintf(quoted, sizeof quoted, "\"%s\"", members[k]);
        const finding one = compare(h, i, quoted, (size_t)length);
        if (one != NOTHING) {
            all = all == FOUND ? FOUND : one;
        }
    }
    return all;
}

bool proto_stl_is_binary(const uint8_t *bytes, size_t size_bytes)
{
    bool binary = false;
    for (size_t i = PROTO_STL_NAME_BYTES; i < PROTO_STL_HEADER_BYTES && i < size_bytes; i++) {
        binary = binary || !is_text(bytes[i]);
    }
    return size_bytes >= PROTO_STL_HEADER_BYTES && binary;
}

// Whether these can be records of binary STL, as far as they are there.
static bool could_be_stl(const head *h)
{
    if (!proto_stl_is_binary(h->bytes, h->size_bytes) ||
        proto_get_u32(h->bytes + PROTO_STL_NAME_BYTES) > NAV_TRIANGLES_MAX) {
        return false;
    }
    for (size_t at = PROTO_STL_HEADER_BYTES; at + PROTO_STL_RECORD_BYTES <= h->size_bytes;
         at += PROTO_STL_RECORD_BYTES) {
        for (size_t i = 3; i < 12; i++) {
            const double value = (double)proto_get_float(h->bytes + at + 4 * i);
            if (!(fabs(value) <= PROTO_LEVEL_COORDINATE_MAX)) {
                return false;
            }
        }
    }
    return true;
}

static finding find_kind(const head *h, proto_format declared, const struct kind **out)
{
    size_t text = 0;
    const finding has_text = find_text(h, &text);
    // The name within binary STL may begin like a text of any kind.
    const bool any_text = proto_stl_is_binary(h->bytes, h->size_bytes) &&
                          (declared == PROTO_FORMAT_STL || declared == PROTO_FORMAT_UNKNOWN);
    if (has_text == MORE) {
        return MORE;
    }
    for (const struct kind *k = KINDS; k < KINDS + KIND_COUNT; k++) {
        if (k->how == AS_TEXT ? any_text || has_text == NOTHING
                              : k->how == AT_257 && declared != PROTO_FORMAT_UNKNOWN) {
            continue;
        }
        const size_t at = k->how == AS_TEXT ? text : k->how == AT_257 ? 257 : 0;
        finding found = compare(h, at, k->bytes, k->size_bytes);
        if (found == FOUND && k->format == PROTO_FORMAT_JSON) {
            const finding gltf = find_gltf(h, at);
            k = gltf == FOUND ? &GLTF : k;
            found = gltf == MORE ? MORE : FOUND;
        }
        if (found != NOTHING) {
            *out = k;
            return found;
        }
    }
    return NOTHING;
}

static nav_status refuse(const struct kind *is, proto_format declared, nav_error *err)
{
    char said[64] = ""; // the longest name fits
    if (declared != PROTO_FORMAT_UNKNOWN) {
        (void)snprintf(said, sizeof said, ", not %s", FORMATS[declared].name);
    }
    if (is->format != PROTO_FORMAT_UNKNOWN) {
        const unsigned which = is == &GLTF;
        nav_fail(err, PROTO_MEDIA_TYPE, "this is %s%s: send it as %s, or with a name in %s",
                 is->name, said, FORMATS[is->format].media_types[which],
                 FORMATS[is->format].endings[which]);
    } else {
        nav_fail(err, PROTO_MEDIA_TYPE, "this is %s%s: %s", is->name, said,
                 is->advice != NULL ? is->advice : "send a level as " READ_NAMES);
    }
    nav_error_at(err, "byte 0");
    nav_error_got(err, "%s", is->name);
    return PROTO_MEDIA_TYPE;
}

// Nothing is said, and no kind has been found.
static nav_status guess(const head *h, proto_format *out, nav_error *err)
{
    bool text = true;
    for (size_t i = 0; i < PROTO_STL_HEADER_BYTES && i < h->size_bytes; i++) {
        text = text && is_text(h->bytes[i]);
    }
    if (text || could_be_stl(h)) {
        *out = text ? PROTO_FORMAT_OBJ : PROTO_FORMAT_STL;
        return NAV_OK;
    }
    return nav_fail_at(err, PROTO_MEDIA_TYPE, "byte 0",
                       "the bytes are of no format that is read: send a level as " READ_NAMES);
}

nav_status proto_format_judge(proto_format declared, const uint8_t *bytes, size_t size_bytes,
                              bool ended, proto_format *out, nav_error *err)
{
    const head h = {bytes, size_bytes, ended || size_bytes >= PROTO_HEAD_BYTES};
    const size_t needed = declared == PROTO_FORMAT_UNKNOWN ? PROTO_HEAD_BYTES
                          : declared == PROTO_FORMAT_STL   ? PROTO_STL_HEADER_BYTES
                                                           : 1;
    const struct kind *is = NULL;
    finding found = MORE;
    if (size_bytes >= needed || ended) {
        found = find_kind(&h, declared, &is);
    }
    if (found == MORE) {
        *out = PROTO_FORMAT_UNKNOWN;
        return NAV_OK;
    }
    if (found == NOTHING) {
        *out = declared;
        return declared == PROTO_FORMAT_UNKNOWN ? guess(&h, out, err) : NAV_OK;
    }
    if (is->format == PROTO_FORMAT_UNKNOWN ||
        (declared != PROTO_FORMAT_UNKNOWN && declared != is->format)) {
        return refuse(is, declared, err);
    }
    *out = is->format;
    return NAV_OK;
}
