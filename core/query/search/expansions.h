// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// expansions.h: the list of what a search does, for whoever asks to watch it (nav_expansions).
// Nothing here is on a search's way: each engine asks once a node whether there is a list. Private
// to core/query/search.

#pragma once

#include "core/query/view/view.h"

// A node that is expanded: the way to its root, and from there through its portal.
typedef struct nav_expanded {
    nav_engine engine;
    uint32_t portal;
    float root[3];
    float left[2], right[2]; // of the part of the portal that it goes on from, x and z
    double g, f;
} nav_expanded;

// Adds it to the list, or notes that there was no room.
void nav_expansions_add(nav_expansions *list, const nav_view *view, const nav_expanded *node);
// The height of a point on a portal over an edge, or where an arc ends.
float nav_expansions_height(const nav_view *view, uint32_t portal, float x, float z);
