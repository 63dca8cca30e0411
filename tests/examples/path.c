// SPDX-License-Identifier: MIT
// A level, its mesh, and a path across it, in one process. With the library installed:
//   cc -std=c17 path.c $(pkg-config --cflags --libs navmesh) -o path
#include <nav.h>
#include <stdio.h>

int main(void)
{
    // A floor of 20 x 20 m, Y up, triangles counter-clockwise as seen from above, and a pond in it.
    const float xyz[] = {0, 0, 0, 20, 0, 0, 20, 0, 20, 0, 0, 20};
    const uint32_t abc[] = {0, 2, 1, 0, 3, 2};
    nav_geometry level = {
        .vertices = xyz, .triangles = abc, .vertex_count = 4, .triangle_count = 2};
    nav_volume pond = {.shape = NAV_VOLUME_BOX, .min = {0, -1, 8}, .max = {16, 1, 12}};
    nav_config config = nav_config_default();
    config.tile_cells = 0; // one tile
    config.volumes = &pond, config.volume_count = 1;
    nav_path_request ask = {
        .start = {2, 0, 2}, .end = {2, 0, 18}, .options = nav_options_default()};

    nav_arena scratch, result;
    nav_arena_init(&scratch, NULL, 0), nav_arena_init(&result, NULL, 0);
    nav_grid grid;
    nav_blob tile; // bytes to store: nav_mesh_create loads them here or anywhere else
    nav_mesh *mesh = NULL;
    nav_scratch *search = NULL;
    nav_path path = {.point_count = 0};
    nav_error err = {.detail = "no memory"};
    if (nav_config_check(&config, &err) != NAV_OK ||
        nav_bake_plan(&level, &config, 0, &grid, &err) != NAV_OK ||
        nav_bake_tile(&level, &config, &grid, NULL, 0, 0, NULL, &scratch, &result, &tile, NULL,
                      &err) != NAV_OK ||
        nav_mesh_create(&tile, 1, &config, NULL, &mesh, NULL, &err) != NAV_OK ||
        nav_scratch_create(NULL, &search) != NAV_OK ||
        nav_query_path(mesh, search, &ask, &path) != NAV_OK) {
        fprintf(stderr, "%s %s\n", err.detail, err.at);
    }
    for (uint32_t i = 0; i < path.point_count; i++) {
        const float *p = path.points + 3 * i;
        printf("%.2f %.2f %.2f\n", (double)p[0], (double)p[1], (double)p[2]);
    }
    nav_scratch_destroy(search);
    nav_mesh_release(mesh);
    nav_arena_free(&result), nav_arena_free(&scratch);
    return path.point_count > 0 && path.status == NAV_PATH_COMPLETE ? 0 : 1;
}
