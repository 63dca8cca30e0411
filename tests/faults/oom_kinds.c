// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// oom_kinds.c: a row for each kind of request.

#include "tests/faults/oom_kinds.h"

#define JSON "application/json"
#define PLACES "\"start\":[2,0,10],\"end\":[18,0,10]"
#define TOWN "/v1/meshes/town"
#define ASK_OF(what, verb, address, text, answer)                                                  \
    {                                                                                              \
        .name = what, .method = verb, .path = address, .type = JSON, .body = text, .status = 200,  \
        .has = answer                                                                              \
    }
#define GET_OF(what, address, answer) ASK_OF(what, "GET", address, "", answer)
#define POST_OF(what, address, text, answer) ASK_OF(what, "POST", address, text, answer)
#define UP "/v1/meshes/up/versions"
#define GONE "/v1/meshes/gone"

const oom_kind OOM_KINDS[] = {
    GET_OF("healthz", "/healthz", ""),
    GET_OF("readyz", "/readyz", ""),
    GET_OF("metrics", "/metrics", "navmeshd_"),
    GET_OF("openapi", "/openapi.json", "\"openapi\""),
    GET_OF("status", "/v1/status", "\"uptime"),
    GET_OF("path", TOWN "/path?start=2,0,10&end=18,0,10", "\"cost\":16"),
    POST_OF("path of a body", TOWN "/path", "{" PLACES ",\"details\":[\"polygons\",\"areas\"]}",
            "\"cost\":16"),
    POST_OF("path with shapes", TOWN "/path",
            "{" PLACES ",\"avoid\":[{\"shape\":\"circle\",\"center\":[10,0,10],\"radius\":2}]}",
            "\"complete\""),
    POST_OF("path of filters", TOWN "/path",
            "{" PLACES ",\"search\":\"fast\",\"filter\":{\"costs\":{\"ground\":2}}}",
            "\"cost\":32"),
    POST_OF("paths", TOWN "/paths", "{\"queries\":[{" PLACES "},{" PLACES ",\"id\":\"b\"}]}",
            "\"cost\":16"),
    POST_OF("matrix", TOWN "/matrix", "{\"sources\":[[2,0,10]],\"targets\":[[18,0,10],[9,0,9]]}",
            "16"),
    POST_OF("reachable", TOWN "/reachable", "{\"start\":[2,0,10],\"points\":[[18,0,10]]}",
            "[true]"),
    GET_OF("flood", TOWN "/flood?start=2,0,10&max_cost=9", "polygon"),
    POST_OF("flood of a body", TOWN "/flood", "{\"start\":[2,0,10],\"max_cost\":9}", "polygon"),
    GET_OF("nearest", TOWN "/nearest?point=2,0,10", "\"distance\":0"),
    POST_OF("nearest of a body", TOWN "/nearest", "{\"point\":[2,0,10]}", "\"distance\":0"),
    GET_OF("floors", TOWN "/floors?x=2&z=10", "\"ground\""),
    POST_OF("floors of a body", TOWN "/floors", "{\"x\":2,\"z\":10}", "\"ground\""),
    GET_OF("raycast", TOWN "/raycast?start=2,0,10&end=18,0,10", "\"hit\":false"),
    POST_OF("raycast of a body", TOWN "/raycast", "{" PLACES "}", "\"hit\":false"),
    GET_OF("move", TOWN "/move?start=2,0,10&end=18,0,10", "\"position\":[18"),
    POST_OF("move of a body", TOWN "/move", "{" PLACES "}", "\"position\":[18"),
    GET_OF("wall", TOWN "/wall?point=2,0,10&max_radius=5", "\"hit\":true"),
    POST_OF("wall of a body", TOWN "/wall", "{\"point\":[2,0,10],\"max_radius\":5}",
            "\"hit\":true"),
    GET_OF("random", TOWN "/random?count=3&seed=1", "\"points\":"),
    POST_OF("random of a body", TOWN "/random", "{\"count\":3,\"seed\":1}", "\"points\":"),
    POST_OF("trace", TOWN "/trace",
            "{\"positions\":[[2,0,10],[3,0,10]],\"times_ms\":[0,1000],\"max_speed\":5}", "{"),
    GET_OF("list of meshes", "/v1/meshes", "\"town\""),
    GET_OF("mesh", TOWN, "\"town\""),
    GET_OF("versions", TOWN "/versions", "\"ready\""),
    GET_OF("version", TOWN "/versions/1", "\"ready\""),
    GET_OF("an older version's path", TOWN "/path?start=2,0,10&end=18,0,10&version=1",
           "\"cost\":16"),
    GET_OF("events", TOWN "/versions/1/events", "event: ready"),
    GET_OF("geometry", TOWN "/versions/1/geometry", ""),
    GET_OF("picture", TOWN "/versions/1/render.svg", "</svg>"),
    GET_OF("difference", TOWN "/versions/diff?from=1&to=2", "\"from\":1"),
    GET_OF("checks", TOWN "/checks", "\"checks\""),
    {"checks put", "PUT", TOWN "/checks", JSON,
     "{\"checks\":[{\"name\":\"x\",\"start\":[2,0,10],\"end\":[18,0,10],\"expect\":\"reachable\"}]"
     "}",
     200, "\"x\"", OOM_NOTHING, TOWN "/checks", 200, "\"x\""},
    {"switch", "PUT", "/v1/meshes/gone/active", JSON, "{\"version\":%u}", 200, "\"previous\"",
     OOM_TWO_VERSIONS, GONE "/versions/%u", 200, "\"active\":true"},
    {"mesh deleted", "DELETE", "/v1/meshes/gone", JSON, "", 204, "", OOM_A_MESH, GONE, 404,
     "mesh_not_found"},
    {"version deleted", "DELETE", "/v1/meshes/gone/versions/%u", JSON, "", 204, "",
     OOM_TWO_VERSIONS, GONE "/versions/%u", 404, "_not_found"},
    {"upload", "POST", "/v1/meshes/up/versions?wait=1&" OOM_TILES, "model/obj", "square", 201,
     "\"ready\"", OOM_NOTHING, UP "/%u", 200, OOM_UPLOADED},
    {"upload, not waited for", "POST", "/v1/meshes/up/versions?" OOM_TILES, "model/obj", "square",
     202, "\"version\"", OOM_NOTHING, UP "/%u", 200, OOM_UPLOADED},
    {"upload of JSON, anew", "POST", "/v1/meshes/up/versions?wait=1&reuse=0", JSON,
     "{\"vertices\":[[0,0,0],[0,0,9],[9,0,9],[9,0,0]],\"triangles\":[[0,1,2],[0,2,3]],"
     "\"config\":{\"areas\":{\"ground\":{\"cost\":2}},\"links\":[{\"start\":[1,0,1],\"end\":[8,0,8]"
     "}]}}",
     201, "\"ready\"", OOM_NOTHING, UP "/%u", 200, OOM_UPLOADED},
    {"upload of a form", "POST", "/v1/meshes/up/versions?wait=1&reuse=0",
     "multipart/form-data; boundary=B",
     "--B\r\nContent-Disposition: form-data; name=\"geometry\"\r\nContent-Type: model/obj\r\n\r\n"
     "v 0 0 0\nv 0 0 9\nv 9 0 9\nf 1 2 3\n\r\n--B\r\nContent-Disposition: form-data; "
     "name=\"config\"\r\n\r\n{\"cell_size\":0.4}\r\n--B--\r\n",
     201, "\"ready\"", OOM_NOTHING, UP "/%u", 200, OOM_UPLOADED},
    {"upload of STL, told by its bytes", "POST", "/v1/meshes/up/versions?wait=1&reuse=0",
     "application/octet-stream",
     "solid a\nfacet normal 0 1 0\nouter loop\nvertex 0 0 0\nvertex 0 0 8\nvertex 8 0 8\nendloop\n"
     "endfacet\nendsolid a\n",
     201, "\"ready\"", OOM_NOTHING, UP "/%u", 200, OOM_UPLOADED},
    {"upload that is there", "POST", "/v1/meshes/town/versions?wait=1&" OOM_TILES, "model/obj",
     "v 0 0 0\nv 0 0 20\nv 20 0 20\nv 20 0 0\nf 1 2 3 4\n", 200, "\"deduplicated\":true",
     OOM_NOTHING, NULL, 0, NULL},
};
const size_t OOM_KIND_COUNT = sizeof OOM_KINDS / sizeof *OOM_KINDS;
