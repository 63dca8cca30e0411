// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// A level, its mesh, and a path across it, in one process. With the library installed:
//   c++ -std=c++17 path.cpp $(pkg-config --cflags --libs navmesh) -o path
#include <nav.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

static nav_error err;
static void must(nav_status status)
{
    if (status != NAV_OK) {
        throw std::runtime_error(err.detail);
    }
}

struct arena : nav_arena {
    arena()
    {
        nav_arena_init(this, nullptr, 0);
    }
    ~arena()
    {
        nav_arena_free(this);
    }
};

// A floor of 20 x 20 m, Y up, triangles counter-clockwise as seen from above, and a pond in it.
static nav_mesh *bake()
{
    const std::vector<float> xyz{0, 0, 0, 20, 0, 0, 20, 0, 20, 0, 0, 20};
    const std::vector<uint32_t> abc{0, 2, 1, 0, 3, 2};
    nav_geometry level{};
    level.vertices = xyz.data(), level.vertex_count = 4;
    level.triangles = abc.data(), level.triangle_count = 2;
    nav_volume pond{};
    pond.shape = NAV_VOLUME_BOX;
    pond.min[1] = -1, pond.min[2] = 8;
    pond.max[0] = 16, pond.max[1] = 1, pond.max[2] = 12;
    nav_config config = nav_config_default();
    config.tile_cells = 0; // one tile
    config.volumes = &pond, config.volume_count = 1;

    arena scratch, result;
    nav_grid grid;
    nav_blob tile; // bytes to store: nav_mesh_create loads them here or anywhere else
    nav_mesh *mesh;
    must(nav_config_check(&config, &err));
    must(nav_bake_plan(&level, &config, 0, &grid, &err));
    must(nav_bake_tile(&level, &config, &grid, nullptr, 0, 0, nullptr, &scratch, &result, &tile,
                       nullptr, &err));
    must(nav_mesh_create(&tile, 1, &config, nullptr, &mesh, nullptr, &err));
    return mesh;
}

int main()
try {
    std::unique_ptr<nav_mesh, void (*)(nav_mesh *)> mesh(bake(), nav_mesh_release);
    nav_scratch *made;
    must(nav_scratch_create(nullptr, &made));
    std::unique_ptr<nav_scratch, void (*)(nav_scratch *)> search(made, nav_scratch_destroy);

    nav_path_request ask{};
    ask.start[0] = ask.start[2] = ask.end[0] = 2, ask.end[2] = 18;
    ask.options = nav_options_default();
    nav_path path;
    must(nav_query_path(mesh.get(), search.get(), &ask, &path));
    for (const float *p = path.points; p < path.points + 3 * path.point_count; p += 3) {
        std::printf("%.2f %.2f %.2f\n", double(p[0]), double(p[1]), double(p[2]));
    }
    return path.status == NAV_PATH_COMPLETE ? 0 : 1;
} catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}
