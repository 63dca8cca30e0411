// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// wave.c: what waves by cones and by labels have in common.

#include "core/query/search/wave.h"

#include <math.h>

bool nav_wave_begin(nav_wave *wave, const nav_view *view, nav_scratch *scratch,
                    const nav_location *source, bool by_cones)
{
    *wave = (nav_wave){.view = view,
                       .source = *source,
                       .by_cones = by_cones,
                       .cancel = &scratch->cancel,
                       .polygon = source->polygon,
                       .portal = NAV_NONE};
    return by_cones ? nav_wave_cones_begin(wave, scratch) : nav_wave_labels_begin(wave, scratch);
}

bool nav_wave_next(nav_wave *wave)
{
    if (!wave->begun) {
        wave->begun = true;
        return true;
    }
    return wave->by_cones ? nav_wave_cones_next(wave) : nav_wave_labels_next(wave);
}

double nav_wave_cost_to(const nav_wave *wave, const float place[2])
{
    return wave->by_cones ? (wave->cone.g + nav_cone_distance(&wave->cones, &wave->cone, place)) *
                                (double)wave->view->costs->least
                          : nav_wave_labels_cost_to(wave, place);
}

void nav_wave_place(const nav_wave *wave, float out[2])
{
    if (wave->portal == NAV_NONE) {
        out[0] = wave->source.position[0];
        out[1] = wave->source.position[2];
    } else if (wave->by_cones) {
        nav_wave_cones_place(wave, out);
    } else {
        nav_wave_labels_place(wave, out);
    }
}
