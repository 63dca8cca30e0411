// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_kinds.c: a value of every kind in the place of every member of a glTF, one at a time. One of
// the wrong kind is refused by the member's name; nothing ends the process.

#include "tests/unit/glb_text.h"

// Corners, a quaternion, indices of 16 bits and the sparse index 1.
static const struct {
    float corners[4][3], rotation[4];
    uint16_t indices[6];
    uint8_t sparse[4];
} BIN = {{{0, 0, 0}, {2, 0, 0}, {2, 0, 2}, {0, 0, 2}}, {0, 0, 0, 1}, {0, 2, 1, 0, 3, 2}, {1}};

_Static_assert(sizeof BIN == 80, "it has no padding");

// Every member that the reader knows.
static const char DOCUMENT[] =
    "{'asset':{'version':'2.0','minVersion':'2.0','generator':'by hand'},"
    "'extensionsRequired':['EXT_mesh_gpu_instancing'],"
    "'buffers':[{'byteLength':80,'uri':''}],"
    "'bufferViews':["
    "{'buffer':0,'byteOffset':0,'byteLength':48,'byteStride':12,"
    "'extensions':{'EXT_meshopt_compression':{}}},"
    "{'buffer':0,'byteOffset':48,'byteLength':16},"
    "{'buffer':0,'byteOffset':64,'byteLength':16},"
    "{'buffer':0,'byteLength':48}],"
    "'accessors':["
    "{'bufferView':0,'byteOffset':0,'componentType':5126,'normalized':false,'count':4,"
    "'type':'VEC3','sparse':{'count':1,"
    "'indices':{'bufferView':2,'byteOffset':12,'componentType':5121},"
    "'values':{'bufferView':3,'byteOffset':0,'componentType':5126}}},"
    "{'bufferView':2,'componentType':5123,'count':6,'type':'SCALAR'},"
    "{'bufferView':3,'componentType':5126,'count':1,'type':'VEC3'},"
    "{'bufferView':1,'componentType':5126,'count':1,'type':'VEC4'}],"
    "'materials':[{'name':'mud'}],"
    "'meshes':[{'weights':[0.5],'primitives':[{'attributes':{'POSITION':0},"
    "'targets':[{'POSITION':0}],'indices':1,'material':0,'mode':4,"
    "'extensions':{'KHR_draco_mesh_compression':{}}}]}],"
    "'nodes':["
    "{'name':'ground','mesh':0,'children':[1,2],'matrix':[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],"
    "'translation':[0,0,0],'rotation':[0,0,0,1],'scale':[1,1,1],'extras':{}},"
    "{'name':'volume:mud','mesh':0,'extensions':{'EXT_mesh_gpu_instancing':{"
    "'attributes':{'TRANSLATION':2,'ROTATION':3,'SCALE':2}}}},"
    "{'skin':0}],"
    "'scenes':[{'nodes':[0]}],"
    "'scene':0}";

// A letter each: object, list, number, negative, fraction, text, true, null; a: the member is not
// there.
#define KINDS "oln-fst0a"
static const char *const VALUES[] = {"{}", "[]", "1", "-1", "0.5", "'x'", "true", "null"};

// A member and what becomes of each kind in its place.
typedef struct row {
    const char *path;
    const char *reads;     // kinds with which the document is read
    const char *elsewhere; // right kinds, with which the rest of the document does not fit: refused
    const char *at;        // where each other kind is refused; NULL: at the path
} row;

static const row ROWS[] = {
    {"asset", "", "o", NULL},
    {"asset.version", "", "", NULL},
    {"asset.minVersion", "a", "", NULL},
    {"asset.generator", "oln-fst0a", "", NULL},
    {"extensionsRequired", "la", "", NULL},
    {"extensionsRequired[0]", "a", "", NULL},
    {"buffers", "", "la", NULL},
    {"buffers[0]", "", "oa", NULL},
    {"buffers[0].byteLength", "", "na", NULL},
    {"buffers[0].uri", "a", "", NULL},
    {"bufferViews", "", "la", NULL},
    {"bufferViews[0]", "", "a", NULL},
    {"bufferViews[0].buffer", "", "a", NULL},
    {"bufferViews[0].byteOffset", "na", "", NULL},
    {"bufferViews[0].byteLength", "", "na", NULL},
    {"bufferViews[0].byteStride", "a", "", NULL},
    {"bufferViews[0].extensions", "oa", "", NULL},
    {"bufferViews[0].extensions.EXT_meshopt_compression", "oa", "", NULL},
    {"bufferViews[1]", "", "a", NULL},
    {"bufferViews[1].buffer", "", "a", NULL},
    {"bufferViews[1].byteOffset", "", "na", NULL},
    {"bufferViews[1].byteLength", "", "na", NULL},
    {"bufferViews[2]", "", "a", NULL},
    {"bufferViews[2].buffer", "", "a", NULL},
    {"bufferViews[2].byteOffset", "na", "", NULL},
    {"bufferViews[2].byteLength", "", "na", NULL},
    {"bufferViews[3]", "", "a", NULL},
    {"bufferViews[3].buffer", "", "a", NULL},
    {"bufferViews[3].byteLength", "", "na", NULL},
    {"accessors", "", "la", NULL},
    {"accessors[0]", "", "", NULL},
    {"accessors[0].bufferView", "", "na", NULL},
    {"accessors[0].byteOffset", "a", "", NULL},
    {"accessors[0].componentType", "", "na", NULL},
    {"accessors[0].normalized", "ta", "", NULL},
    {"accessors[0].count", "", "n", NULL},
    {"accessors[0].type", "", "sa", NULL},
    {"accessors[0].sparse", "a", "", NULL},
    {"accessors[0].sparse.count", "n", "a", NULL},
    {"accessors[0].sparse.indices", "", "oa", NULL},
    {"accessors[0].sparse.indices.bufferView", "n", "a", NULL},
    {"accessors[0].sparse.indices.byteOffset", "na", "", NULL},
    {"accessors[0].sparse.indices.componentType", "", "na", NULL},
    {"accessors[0].sparse.values", "", "oa", NULL},
    {"accessors[0].sparse.values.bufferView", "n", "a", NULL},
    {"accessors[0].sparse.values.byteOffset", "na", "", NULL},
    {"accessors[0].sparse.values.componentType", "na", "", NULL},
    {"accessors[1]", "", "", NULL},
    {"accessors[1].bufferView", "na", "", NULL},
    {"accessors[1].componentType", "", "na", NULL},
    {"accessors[1].count", "", "n", NULL},
    {"accessors[1].type", "", "sa", NULL},
    {"accessors[2]", "", "a", NULL},
    {"accessors[2].bufferView", "na", "", NULL},
    {"accessors[2].componentType", "", "na", NULL},
    {"accessors[2].count", "n", "", NULL},
    {"accessors[2].type", "", "sa", NULL},
    {"accessors[3]", "", "a", NULL},
    {"accessors[3].bufferView", "n", "a", NULL},
    {"accessors[3].componentType", "", "na", NULL},
    {"accessors[3].count", "n", "", NULL},
    {"accessors[3].type", "", "sa", NULL},
    {"materials", "", "la", NULL},
    {"materials[0]", "o", "a", NULL},
    {"materials[0].name", "sa", "", NULL},
    {"meshes", "", "la", NULL},
    {"meshes[0]", "", "oa", NULL},
    {"meshes[0].weights", "la", "", NULL},
    {"meshes[0].weights[0]", "n-fa", "", "meshes[0].primitives[0].targets[0]"},
    {"meshes[0].primitives", "", "la", NULL},
    {"meshes[0].primitives[0]", "", "oa", NULL},
    {"meshes[0].primitives[0].attributes", "", "oa", NULL},
    {"meshes[0].primitives[0].attributes.POSITION", "", "na", NULL},
    {"meshes[0].primitives[0].targets", "la", "", NULL},
    {"meshes[0].primitives[0].targets[0]", "oa", "", NULL},
    {"meshes[0].primitives[0].targets[0].POSITION", "a", "n", NULL},
    {"meshes[0].primitives[0].indices", "n", "a", NULL},
    {"meshes[0].primitives[0].material", "a", "", NULL},
    {"meshes[0].primitives[0].mode", "a", "n", NULL},
    {"meshes[0].primitives[0].extensions", "oa", "", NULL},
    {"meshes[0].primitives[0].extensions.KHR_draco_mesh_compression", "oa", "", NULL},
    {"nodes", "", "la", NULL},
    {"nodes[0]", "", "oa", NULL},
    {"nodes[0].name", "sa", "", NULL},
    {"nodes[0].mesh", "", "a", NULL},
    {"nodes[0].children", "la", "", NULL},
    {"nodes[0].children[1]", "a", "", NULL},
    {"nodes[0].matrix", "a", "", NULL},
    {"nodes[0].matrix[15]", "n", "", "nodes[0].matrix"},
    {"nodes[0].translation", "a", "", NULL},
    {"nodes[0].translation[2]", "n-f", "", "nodes[0].translation"},
    {"nodes[0].rotation", "a", "", NULL},
    {"nodes[0].rotation[3]", "n-f", "", "nodes[0].rotation"},
    {"nodes[0].scale", "a", "", NULL},
    {"nodes[0].scale[2]", "n-f", "", "nodes[0].scale"},
    {"nodes[0].extras", "oln-fst0a", "", NULL},
    {"nodes[1]", "o", "a", NULL},
    {"nodes[1].name", "sa", "", NULL},
    {"nodes[1].mesh", "", "a", NULL},
    {"nodes[1].extensions", "oa", "", NULL},
    {"nodes[1].extensions.EXT_mesh_gpu_instancing", "oa", "", NULL},
    {"nodes[1].extensions.EXT_mesh_gpu_instancing.attributes", "oa", "", NULL},
    {"nodes[1].extensions.EXT_mesh_gpu_instancing.attributes.TRANSLATION", "a", "n", NULL},
    {"nodes[1].extensions.EXT_mesh_gpu_instancing.attributes.ROTATION", "a", "n", NULL},
    {"nodes[1].extensions.EXT_mesh_gpu_instancing.attributes.SCALE", "a", "n", NULL},
    {"nodes[2]", "o", "a", NULL},
    {"nodes[2].skin", "na", "", NULL},
    {"scenes", "", "la", NULL},
    {"scenes[0]", "", "oa", NULL},
    {"scenes[0].nodes", "", "la", NULL},
    {"scenes[0].nodes[0]", "", "a", NULL},
    {"scene", "a", "", NULL},
};
enum {
    ROW_COUNT = sizeof ROWS / sizeof ROWS[0]
};

// Where a member stands in DOCUMENT: from its name, from its value, to its end.
typedef struct member {
    char path[96];
    size_t begin, value, end;
} member;

static member members[128];
static uint32_t member_count;

// Finds the members below the value at `at`, and returns where that ends. Of the numbers of a list
// only the last is one.
static size_t find_members(const char *path, size_t at)
{
    const char open = DOCUMENT[at++];
    if (open == '\'') {
        return at + strcspn(DOCUMENT + at, "'") + 1;
    }
    if (open != '{' && open != '[') {
        return at + strcspn(DOCUMENT + at, ",]}");
    }
    for (uint32_t i = 0; strchr("]}", DOCUMENT[at]) == NULL; i++) {
        assert_true(member_count < sizeof members / sizeof members[0]);
        member *m = &members[member_count++];
        m->begin = m->value = at;
        if (open == '{') {
            const int length = (int)strcspn(DOCUMENT + at + 1, "'");
            (void)snprintf(m->path, sizeof m->path, "%s%s%.*s", path, *path != '\0' ? "." : "",
                           length, DOCUMENT + at + 1);
            m->value += (size_t)length + 3;
        } else {
            (void)snprintf(m->path, sizeof m->path, "%s[%u]", path, i);
        }
        m->end = at = find_members(m->path, m->value);
        if (DOCUMENT[at] == ',') {
            const char first = DOCUMENT[m->value];
            member_count -= open == '[' && first >= '0' && first <= '9';
            at++;
        }
    }
    return at + 1;
}

// The document with a value of another kind in a member's place, or without it.
static void write_other(const member *m, char kind, char *out, size_t capacity_bytes)
{
    size_t begin = m->value, end = m->end;
    const char *value = "";
    if (kind == 'a') {
        const bool is_last = DOCUMENT[end] != ',';
        begin = m->begin - (is_last && DOCUMENT[m->begin - 1] == ',');
        end += !is_last;
    } else {
        value = VALUES[strchr(KINDS, kind) - KINDS];
    }
    (void)snprintf(out, capacity_bytes, "%.*s%s%s", (int)begin, DOCUMENT, value, DOCUMENT + end);
}

static bool is_as_wanted(const row *r, char kind, const glb_read *got)
{
    if (strchr(r->reads, kind) != NULL) {
        return got->status == NAV_OK;
    }
    if (strchr(r->elsewhere, kind) != NULL) {
        return got->status != NAV_OK && got->err.status == got->status;
    }
    return got->status == PROTO_BAD_GEOMETRY && strstr(got->err.detail, got->err.at) != NULL &&
           strcmp(got->err.at, r->at != NULL ? r->at : r->path) == 0;
}

static void test_every_kind_at_every_member(void **state)
{
    (void)state;
    uint32_t wrong = 0;
    glb_read whole = glb_take(DOCUMENT, &BIN, sizeof BIN);
    assert_int_equal(whole.geometry.triangle_count, 2);
    glb_done(&whole);
    assert_int_equal(find_members("", 0), strlen(DOCUMENT));
    assert_int_equal(member_count, ROW_COUNT);
    for (uint32_t i = 0; i < ROW_COUNT; i++) {
        assert_string_equal(members[i].path, ROWS[i].path);
        for (const char *kind = KINDS; *kind != '\0'; kind++) {
            char json[sizeof DOCUMENT + 8];
            write_other(&members[i], *kind, json, sizeof json);
            glb_read got = glb_read_limited(json, &BIN, sizeof BIN, NULL);
            if (!is_as_wanted(&ROWS[i], *kind, &got)) {
                print_error("%s, kind %c: %s at %s (%s)\n", ROWS[i].path, *kind,
                            proto_status_word(got.status), got.err.at, got.err.detail);
                wrong++;
            }
            glb_done(&got);
        }
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_at_every_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
