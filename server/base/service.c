// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// service.c: the memory that bodies in flight hold together.

#include "server/base/service.h"

nav_status service_hold(service *s, uint64_t bytes, nav_error *err)
{
    uint64_t limit = s->limits.bodies_in_flight_bytes;
    uint64_t held = atomic_fetch_add(&s->bodies_bytes, bytes);
    if (bytes <= limit && held <= limit - bytes) {
        return NAV_OK;
    }
    (void)atomic_fetch_sub(&s->bodies_bytes, bytes);
    nav_fail(err, PROTO_OVERLOADED, "too many bytes of requests are in flight; try again");
    nav_error_limit(err, "%llu", (unsigned long long)limit);
    return PROTO_OVERLOADED;
}

void service_give_back(service *s, uint64_t bytes)
{
    (void)atomic_fetch_sub(&s->bodies_bytes, bytes);
}
