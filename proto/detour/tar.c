// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// tar.c: the regular files of a tar archive that lies in memory: ustar, pax and GNU's form (POSIX
// 1003.1-2017, pax, "ustar Interchange Format"). Links, folders and devices are passed over.
//
//   offset  size  header, 512 bytes
//        0   100  name
//      124    12  size: octal digits, or with the highest bit set a big-endian number
//      148     8  sum of the header's bytes, with blanks in place of this one
//      156     1  kind: '0' or 0 a file; 'x', 'g' pax records; 'L' a long name of GNU's
//      257     6  "ustar"
//      345   155  what comes before the name

#include "proto/detour/file.h"

#define BLOCK 512u
#define NAME_AT 0u
#define SIZE_AT 124u
#define SUM_AT 148u
#define KIND_AT 156u
#define MAGIC_AT 257u

static nav_status fail(size_t offset, nav_error *err, const char *what)
{
    return nav_fail_at(err, PROTO_BAD_GEOMETRY, nav_at("byte %zu", offset).text,
                       "the tar archive %s", what);
}

static bool read_octal(const uint8_t *at, size_t length, uint64_t *out)
{
    uint64_t value = 0;
    size_t i = 0;
    while (i < length && at[i] == ' ') {
        i++;
    }
    const size_t first = i;
    for (; i < length && at[i] >= '0' && at[i] <= '7'; i++) {
        value = value << 3 | (uint64_t)(at[i] - '0'); // at most 12 digits
    }
    *out = value;
    return i > first && (i == length || at[i] == ' ' || at[i] == '\0');
}

static bool read_size(const uint8_t *at, uint64_t *out)
{
    if ((at[0] & 0x80) == 0) {
        return read_octal(at, 12, out);
    }
    uint64_t value = 0;
    for (int i = 4; i < 12; i++) {
        value = value << 8 | at[i];
    }
    *out = value;
    return at[0] == 0x80 && at[1] == 0 && at[2] == 0 && at[3] == 0;
}

static bool has_sum(const uint8_t *block)
{
    uint64_t sum = 0, given;
    for (uint32_t i = 0; i < BLOCK; i++) {
        sum += i >= SUM_AT && i < SUM_AT + 8 ? ' ' : block[i];
    }
    return read_octal(block + SUM_AT, 8, &given) && given == sum;
}

static bool is_empty(const uint8_t *block)
{
    uint8_t all = 0;
    for (uint32_t i = 0; i < BLOCK; i++) {
        all |= block[i];
    }
    return all == 0;
}

// Keeps what stands behind the last slash.
static void take_name(const uint8_t *at, size_t length, char out[128])
{
    size_t end = 0, first = 0;
    while (end < length && at[end] != '\0') {
        first = at[end] == '/' ? end + 1 : first;
        end++;
    }
    first = end - first > 127 ? end - 127 : first;
    memset(out, 0, 128);
    memcpy(out, at + first, end - first);
}

// Reads what pax records say of the next file: "27 path=a/0003231.mmtile\n".
static bool read_pax(const uint8_t *bytes, size_t size_bytes, char name[128], bool *has_name,
                     uint64_t *size, bool *has_size)
{
    size_t at = 0;
    while (at < size_bytes) {
        uint64_t length = 0;
        size_t digits = at;
        while (digits < size_bytes && bytes[digits] >= '0' && bytes[digits] <= '9' &&
               length <= size_bytes) {
            length = length * 10 + (uint64_t)(bytes[digits++] - '0');
        }
        if (digits == at || digits >= size_bytes || bytes[digits] != ' ' ||
            length > size_bytes - at || length < digits - at + 3 ||
            bytes[at + length - 1] != '\n') {
            return false;
        }
        const uint8_t *key = bytes + digits + 1, *end = bytes + at + length - 1;
        const size_t rest = (size_t)(end - key);
        if (rest > 5 && memcmp(key, "path=", 5) == 0) {
            take_name(key + 5, rest - 5, name);
            *has_name = true;
        } else if (rest > 5 && memcmp(key, "size=", 5) == 0) {
            *size = 0;
            for (const uint8_t *digit = key + 5; digit < end; digit++) {
                if (*digit < '0' || *digit > '9' || *size > UINT64_MAX / 16) {
                    return false;
                }
                *size = *size * 10 + (uint64_t)(*digit - '0');
            }
            *has_size = true;
        }
        at += length;
    }
    return true;
}

nav_status detour_tar_next(const uint8_t *bytes, size_t size_bytes, size_t *offset,
                           detour_member *out, bool *found, nav_error *err)
{
    bool has_name = false, has_size = false;
    char name[128];
    uint64_t pax_size = 0;
    *found = false;
    while (size_bytes - *offset >= BLOCK) {
        const uint8_t *block = bytes + *offset;
        uint64_t size;
        if (is_empty(block)) {
            return has_name || has_size ? fail(*offset, err, "ends behind a name without a file")
                                        : NAV_OK;
        }
        if (!has_sum(block) || memcmp(block + MAGIC_AT, "ustar", 5) != 0) {
            return fail(*offset, err,
                        "has a header that is damaged, or of a form that is not read "
                        "(ustar, pax and GNU's are)");
        }
        const uint8_t kind = block[KIND_AT];
        const bool is_file = kind == '0' || kind == '\0';
        if (!read_size(block + SIZE_AT, &size)) {
            return fail(*offset, err, "has a file whose size is no number");
        }
        size = is_file && has_size ? pax_size : size;
        const size_t left = size_bytes - *offset - BLOCK;
        if (size > left) {
            return fail(*offset, err, "ends within a file");
        }
        const uint8_t *content = block + BLOCK;
        const size_t padded = ((size_t)size + BLOCK - 1) / BLOCK * BLOCK;
        if (kind == 'x' &&
            !read_pax(content, (size_t)size, name, &has_name, &pax_size, &has_size)) {
            return fail(*offset, err, "has pax records that cannot be read");
        }
        if (kind == 'L') {
            take_name(content, (size_t)size, name);
            has_name = true;
        }
        *offset += BLOCK + (padded < left ? padded : left);
        if (is_file) {
            if (has_name) {
                memcpy(out->name, name, sizeof name);
            } else {
                take_name(block + NAME_AT, 100, out->name);
            }
            out->bytes = content;
            out->size_bytes = (size_t)size;
            *found = true;
            return NAV_OK;
        }
        if (kind != 'x' && kind != 'L' && kind != 'g' && kind != 'K') {
            has_name = has_size = false; // they were the folder's, or the link's
        }
    }
    return *offset == size_bytes ? NAV_OK : fail(*offset, err, "ends within a header");
}
