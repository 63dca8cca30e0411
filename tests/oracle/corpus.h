// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// corpus.h: the levels that the oracle programs compare on: the generated ones and every .obj in
// the folder $NAVMESHD_LEVELS (default ../shared/levels), where that exists. Also their dice.

#pragma once

#include "core/nav.h"
#include "tests/levels/levels.h"

typedef void (*corpus_visit)(const char *level, const nav_geometry *geometry);

// Calls visit for each level. A level that cannot be had is printed as "not ok" and counted.
void corpus_each(corpus_visit visit);
// The same for one generated level, and for the files alone.
void corpus_generated(level_kind kind, uint32_t size, uint64_t seed, corpus_visit visit);
void corpus_files(corpus_visit visit);
// made.c: shops, arenas and rubble, whose walls stand at all angles; outlines of rubble cross.
void corpus_made(corpus_visit visit);

// A level baked in all its tiles, or NULL and why.
nav_mesh *corpus_bake(const nav_geometry *geometry, const nav_config *config, nav_error *err);
// Gives landmarks to a mesh, as the daemon does at the end of a bake. False, and why, where that
// fails.
bool corpus_add_landmarks(nav_mesh *mesh, nav_error *err);

// How many lines "not ok" have been printed; a program's exit status.
extern int corpus_failures;

uint64_t corpus_random(uint64_t *state);       // not 0 at first
float corpus_random_fraction(uint64_t *state); // 0 <= fraction < 1
void corpus_random_in_triangle(const float a[3], const float b[3], const float c[3],
                               uint64_t *state, float out[3]);
// A random point of a random polygon, which is returned; on the plane of three of its corners.
nav_polygon corpus_random_point(const nav_mesh *mesh, uint32_t polygons, uint64_t *state,
                                float out[3]);
// Moves a point to the nearest ground of a component (NAV_NONE: of any): the detail's surface can
// lie far from the polygon's.
void corpus_put_on_ground(const nav_mesh *mesh, uint32_t component, float point[3]);
