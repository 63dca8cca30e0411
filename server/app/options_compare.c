// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options_compare.c: which options differ between two readings of them: what a reload changes.

#include "server/app/options.h"

#include <string.h>

static bool same_texts(const char *a, const char *b)
{
    return a == b || (a != NULL && b != NULL && strcmp(a, b) == 0);
}

static bool same_lists(const void *left, const void *right)
{
    option_list a, b;
    memcpy(&a, left, sizeof a);
    memcpy(&b, right, sizeof b);
    bool same = a.count == b.count;
    for (size_t i = 0; same && i < a.count; i++) {
        same = same_texts(a.items[i], b.items[i]);
    }
    return same;
}

static bool same_values(const options *a, const options *b, const option_row *row)
{
    const char *left = (const char *)a + row->offset, *right = (const char *)b + row->offset;
    const char *text_left = NULL, *text_right = NULL;
    switch (row->type) {
    case OPTION_TYPE_SWITCH:
        return memcmp(left, right, sizeof(bool)) == 0;
    case OPTION_TYPE_UINT:
    case OPTION_TYPE_CHOICE:
        return memcmp(left, right, sizeof(uint32_t)) == 0;
    case OPTION_TYPE_NUMBER:
        return memcmp(left, right, sizeof(double)) == 0;
    case OPTION_TYPE_TEXT:
        memcpy(&text_left, left, sizeof text_left);
        memcpy(&text_right, right, sizeof text_right);
        return same_texts(text_left, text_right);
    case OPTION_TYPE_LIST:
        return same_lists(left, right);
    case OPTION_TYPE_ACTION:
        break;
    }
    return true;
}

void options_compare(const options *before, const options *after, option_changed *changed,
                     void *user)
{
    size_t row_count;
    const option_row *rows = options_rows(&row_count);
    for (size_t i = 0; i < row_count; i++) {
        if (!same_values(before, after, &rows[i])) {
            changed(user, &rows[i]);
        }
    }
}
