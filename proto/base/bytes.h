// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// bytes.h: little-endian numbers in packed forms, whatever the machine.

#pragma once

#include <stdint.h>
#include <string.h>

_Static_assert(sizeof(float) == sizeof(uint32_t), "a float is read by its bits");

static inline uint32_t proto_get_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

// Returns the place behind the number.
static inline uint8_t *proto_put_u32(uint8_t *out, uint32_t value)
{
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    out[2] = (uint8_t)(value >> 16);
    out[3] = (uint8_t)(value >> 24);
    return out + 4;
}

static inline float proto_get_float(const uint8_t *bytes)
{
    const uint32_t bits = proto_get_u32(bytes);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint8_t *proto_put_float(uint8_t *out, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return proto_put_u32(out, bits);
}

static inline uint64_t proto_get_u64(const uint8_t *bytes)
{
    return (uint64_t)proto_get_u32(bytes) | (uint64_t)proto_get_u32(bytes + 4) << 32;
}

static inline uint8_t *proto_put_u64(uint8_t *out, uint64_t value)
{
    return proto_put_u32(proto_put_u32(out, (uint32_t)value), (uint32_t)(value >> 32));
}
