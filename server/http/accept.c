// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// accept.c: the list of an Accept header, range by range.

#include "server/http/accept.h"

#include <string.h>
#include <strings.h>

// How narrow a range is that the media type lies in; 0: it does not.
static int match(const char *range, size_t length, const char *media_type)
{
    const size_t type_length = strcspn(media_type, "/") + 1; // with its slash
    if ((length == 1 && range[0] == '*') || (length == 3 && strncmp(range, "*/*", 3) == 0)) {
        return 1;
    }
    if (length == type_length + 1 && range[length - 1] == '*' &&
        strncasecmp(range, media_type, type_length) == 0) {
        return 2;
    }
    return length == strlen(media_type) && strncasecmp(range, media_type, length) == 0 ? 3 : 0;
}

// Whether the parameters, up to the next comma, have a weight of zero: q=0, q=0.0 ...
static bool weighs_nothing(const char *at)
{
    while (*at == ';') {
        at += 1 + strspn(at + 1, " \t");
        if (strncasecmp(at, "q=", 2) == 0) {
            const size_t digits = strspn(at + 2, "0.");
            return digits > 0 && strchr(",; \t", at[2 + digits]) != NULL;
        }
        at += strcspn(at, ",;");
    }
    return false;
}

bool accept_takes(const char *accept, const char *media_type)
{
    if (accept == NULL || strcmp(accept, "*/*") == 0) {
        return true;
    }
    int narrowest = 0;
    bool taken = accept[strspn(accept, " \t,")] == '\0'; // an empty list is none
    for (const char *at = accept; *at != '\0'; at += strcspn(at, ",")) {
        at += strspn(at, " \t,");
        const size_t length = strcspn(at, ",; \t");
        const int narrow = length > 0 ? match(at, length, media_type) : 0;
        if (narrow > narrowest) {
            narrowest = narrow;
            taken = !weighs_nothing(at + length + strspn(at + length, " \t"));
        }
    }
    return taken;
}
