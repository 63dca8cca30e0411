// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// triangulate.h: a closed walk in plan view to triangles, for contours of a bake and faces of a
// level. Private to core/.

#pragma once

#include "core/base/cancel.h"
#include "core/base/plan_view.h"

// Cuts the closed walk of count >= 3 points into count - 2 triangles of indices, for which there is
// room. *complete is false where the walk crosses itself so badly that some could not be found: the
// *triangle_count that were found are right. cancel: NULL, or polled, with all edges that are
// looked at as its work. scratch is as it was. Errors: NAV_NO_MEMORY, NAV_CANCELLED, after which
// *triangle_count is right, too.
nav_status nav_triangulate(nav_arena *scratch, nav_cancel *cancel, const nav_plan *points,
                           uint32_t count, uint32_t (*triangles)[3], uint32_t *triangle_count,
                           bool *complete);
