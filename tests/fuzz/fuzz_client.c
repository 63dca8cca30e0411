// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// fuzz_client.c: what a command hears from an address that may be anybody's. An answer that is
// taken has a status and a body within what came, and a number that is found is one.

#include "proto/proto.h"
#include "server/app/client.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes)
{
    // As read_all has it: a zero behind the last byte, and not one more.
    char *copy = malloc(size_bytes + 1);
    reply answer;
    nav_error err = {0};
    bool negative;
    double number = 0;
    if (copy == NULL) {
        return 0;
    }
    memcpy(copy, bytes, size_bytes);
    copy[size_bytes] = '\0';
    const nav_status status = client_read_answer(copy, size_bytes, &answer, &err);
    free(copy);
    NAV_ASSERT(status == NAV_OK || (err.status == status && answer.body == NULL));
    if (status == NAV_OK) {
        NAV_ASSERT(answer.status >= 100 && answer.status <= 999);
        NAV_ASSERT(answer.body_bytes < size_bytes && answer.body[answer.body_bytes] == '\0');
        (void)proto_answer_judge(answer.body, answer.body_bytes, &negative, &err);
        NAV_ASSERT(!proto_answer_number(answer.body, answer.body_bytes, "active", &number) ||
                   isfinite(number));
        free(answer.body);
    }
    return 0;
}
