// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// batch_order.h: the order in which the queries of a batch are searched.

#pragma once

#include "server/api/query.h"

// The rank of a query in the order of searches. High bits: its shapes to avoid (0 none, then those
// that queries share, then its own); then a key along a curve that keeps neighbours together; low
// bits: its index. One number, since sorting moves it six times.
typedef uint64_t batch_rank;

static inline uint32_t batch_rank_shapes(batch_rank at)
{
    return (uint32_t)(at >> 48);
}

static inline uint32_t batch_rank_index(batch_rank at)
{
    return (uint32_t)at & UINT16_MAX;
}

// The ranks of all queries in order, from q->memory; NULL without memory.
const batch_rank *batch_order(const query_context *q, const proto_batch_request *batch);
