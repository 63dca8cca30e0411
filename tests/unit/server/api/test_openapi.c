// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_openapi.c: openapi.json describes every route and nothing else, its references lead
// somewhere, and its questions have the names and bounds that the daemon has. For settings:
// test_openapi_settings.c.

#include "proto/requests/rows.h"
#include "server/api/query.h"
#include "server/api/routes.h"

#include "proto/geometry/upload.h"
#include "server/http/auth.h"
#include "tests/unit/openapi_document.h"

static const char *method_word(http_method method)
{
    static const char *const words[HTTP_METHOD_COUNT] = {[HTTP_GET] = "get",
                                                         [HTTP_POST] = "post",
                                                         [HTTP_PUT] = "put",
                                                         [HTTP_PATCH] = "patch",
                                                         [HTTP_DELETE] = "delete"};
    return words[method];
}

// ---- routes ----

static void header(void **state)
{
    (void)state;
    assert_string_equal(word(document, "openapi"), "3.1.0");
    assert_string_equal(word(get(document, "info"), "version"), NAVMESHD_VERSION);
}

static void every_route_is_described(void **state)
{
    (void)state;
    const size_t count = routes_all()->count;
    const route *rows = routes_all()->rows;
    for (size_t i = 0; i < count; i++) {
        const cJSON *path = get(get(document, "paths"), rows[i].pattern);
        if (get(path, method_word(rows[i].method)) == NULL) {
            fail_msg("openapi.json lacks %s %s", method_word(rows[i].method), rows[i].pattern);
        }
    }
}

// Accept is held against the media types that a route is said to answer. Where the handler alone
// knows which, some must be described.
static void media_types_are_described(void **state)
{
    (void)state;
    const size_t count = routes_all()->count;
    const route *rows = routes_all()->rows;
    for (size_t i = 0; i < count; i++) {
        const char *method = method_word(rows[i].method);
        const cJSON *method_at = get(get(get(document, "paths"), rows[i].pattern), method);
        const cJSON *ok = get(get(method_at, "responses"), "200");
        const char *answer = rows[i].answers != NULL ? rows[i].answers : "application/json";
        const cJSON *content = get(ok, "content");
        const cJSON *described = rows[i].answers_of == NULL ? get(content, answer)
                                 : content != NULL          ? content->child
                                                            : NULL;
        if (ok != NULL && !rows[i].watch && described == NULL) {
            fail_msg("openapi.json: %s %s does not answer %s", method, rows[i].pattern, answer);
        }
    }
}

// A route's scopes are the roles of its operation's security; none where it is free.
static void scopes_are_described(void **state)
{
    (void)state;
    static const struct {
        const char *word;
        uint32_t bit;
    } scopes[] = {
        {"query", AUTH_QUERY}, {"bake", AUTH_BAKE}, {"world", AUTH_WORLD}, {"admin", AUTH_ADMIN}};
    const size_t count = routes_all()->count;
    const route *rows = routes_all()->rows;
    for (size_t i = 0; i < count; i++) {
        const cJSON *security =
            get(get(get(get(document, "paths"), rows[i].pattern), method_word(rows[i].method)),
                "security");
        const cJSON *role = NULL;
        uint32_t described = 0;
        assert_true(cJSON_IsArray(security));
        cJSON_ArrayForEach(role, get(cJSON_GetArrayItem(security, 0), "bearer"))
        {
            for (size_t k = 0; k < sizeof scopes / sizeof scopes[0]; k++) {
                described |=
                    strcmp(cJSON_GetStringValue(role), scopes[k].word) == 0 ? scopes[k].bit : 0;
            }
        }
        bool is_free = (rows[i].scopes & AUTH_FREE) != 0;
        if (described != (is_free ? 0 : rows[i].scopes | AUTH_ADMIN)) {
            fail_msg("openapi.json has other scopes for %s %s", method_word(rows[i].method),
                     rows[i].pattern);
        }
    }
}

static void nothing_else_is_described(void **state)
{
    (void)state;
    const size_t count = routes_all()->count;
    const route *rows = routes_all()->rows;
    const cJSON *path, *operation;
    cJSON_ArrayForEach(path, get(document, "paths"))
    {
        cJSON_ArrayForEach(operation, path)
        {
            bool known = false;
            for (size_t i = 0; i < count; i++) {
                known = known || (strcmp(rows[i].pattern, path->string) == 0 &&
                                  strcmp(method_word(rows[i].method), operation->string) == 0);
            }
            if (!known) {
                fail_msg("there is no route for %s %s", operation->string, path->string);
            }
        }
    }
}

static bool has_parameter(const cJSON *operation, const char *name, const char *in)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, get(operation, "parameters"))
    {
        const cJSON *parameter = resolve(item);
        if (strcmp(word(parameter, "name"), name) == 0 && strcmp(word(parameter, "in"), in) == 0) {
            return true;
        }
    }
    return false;
}

static bool takes_json(const cJSON *operation)
{
    return get(get(get(operation, "requestBody"), "content"), "application/json") != NULL;
}

static void operations_are_whole(void **state)
{
    (void)state;
    char ids[8192] = " ";
    const size_t count = routes_all()->count;
    const route *rows = routes_all()->rows;
    for (size_t i = 0; i < count; i++) {
        const cJSON *operation =
            get(get(get(document, "paths"), rows[i].pattern), method_word(rows[i].method));
        char id[64];
        (void)snprintf(id, sizeof id, " %s ", word(operation, "operationId"));
        assert_true(strlen(id) > 3);
        assert_null(strstr(ids, id)); // each once
        strcat(ids, id + 1);
        assert_true(strlen(word(operation, "summary")) > 0);
        assert_non_null(get(get(operation, "responses"), "default"));
        assert_true(cJSON_GetArraySize(get(operation, "responses")) > 1);
        assert_int_equal(has_parameter(operation, "mesh", "path"),
                         strstr(rows[i].pattern, "{mesh}") != NULL);
        assert_int_equal(has_parameter(operation, "version", "path"),
                         strstr(rows[i].pattern, "{version}") != NULL);
        assert_int_equal(get(operation, "requestBody") != NULL, rows[i].body != BODY_NONE);
        assert_true(rows[i].body != BODY_JSON || takes_json(operation));
    }
}

static void check_references(const cJSON *item)
{
    const cJSON *child;
    if (item->string != NULL && strcmp(item->string, "$ref") == 0 &&
        follow(item->valuestring) == NULL) {
        fail_msg("%s leads nowhere", item->valuestring);
    }
    cJSON_ArrayForEach(child, item)
    {
        check_references(child);
    }
}

// The types of an upload that are described are those that are taken.
static void uploads_have_their_types(void **state)
{
    (void)state;
    const cJSON *type,
        *upload = get(get(get(document, "paths"), "/v1/meshes/{mesh}/versions"), "post");
    int count = 0;
    cJSON_ArrayForEach(type, get(get(upload, "requestBody"), "content"))
    {
        char text[96];
        proto_body_type read;
        (void)snprintf(text, sizeof text, "%s; boundary=b", type->string);
        if (proto_body_type_read(text, &read, NULL) != NAV_OK) {
            fail_msg("%s is described, and not taken", type->string);
        }
        count++;
    }
    assert_int_equal(count, 13);
}

// A default of a body's member would make generated clients ask for it; x-default tells people
// only.
static void no_member_has_a_default(const cJSON *schema)
{
    const cJSON *child;
    if (get(schema, "default") != NULL && get(schema, "type") != NULL) {
        fail_msg("%s has a default", schema->string);
    }
    cJSON_ArrayForEach(child, schema)
    {
        no_member_has_a_default(child);
    }
}

static void bodies_force_no_member(void **state)
{
    (void)state;
    no_member_has_a_default(get(get(document, "components"), "schemas"));
}

static void references_lead_somewhere(void **state)
{
    (void)state;
    check_references(document);
}

// ---- questions ----

// The schema of a member of a question: "snap.up" is a member of a member.
static const cJSON *member_schema(const cJSON *schema, const char *name)
{
    const char *dot = strchr(name, '.');
    char outer[64];
    (void)snprintf(outer, sizeof outer, "%.*s", (int)strcspn(name, "."), name);
    const cJSON *found = resolve(get(get(schema, "properties"), outer));
    return dot != NULL && found != NULL ? member_schema(found, dot + 1) : found;
}

static const cJSON *parameter_schema(const cJSON *operation, const char *name)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, get(operation, "parameters"))
    {
        const cJSON *parameter = resolve(item);
        if (strcmp(word(parameter, "name"), name) == 0) {
            return get(parameter, "schema");
        }
    }
    return NULL;
}

static bool same_bound(const cJSON *bound, double value)
{
    // A number without a bound in the description may be as large as its type.
    return cJSON_IsNumber(bound) ? bound->valuedouble == value : value >= UINT32_MAX;
}

static void check_row(const route *of, const cJSON *schema, const proto_field *row)
{
    bool number = row->type == PROTO_FIELD_FLOAT || row->type == PROTO_FIELD_DOUBLE ||
                  row->type == PROTO_FIELD_UINT;
    if (schema == NULL) {
        fail_msg("%s %s lacks %s", method_word(of->method), of->pattern, row->name);
    }
    if (number && (!same_bound(get(schema, "minimum"), row->min) ||
                   !same_bound(get(schema, "maximum"), row->max))) {
        fail_msg("%s %s: the bounds of %s are others", method_word(of->method), of->pattern,
                 row->name);
    }
    for (int i = 0; row->type == PROTO_FIELD_CHOICE && row->words[i] != NULL; i++) {
        assert_string_equal(cJSON_GetStringValue(cJSON_GetArrayItem(get(schema, "enum"), i)),
                            row->words[i]);
    }
}

// How many members a schema has, those of `snap` counted one by one.
static int count_members(const cJSON *schema)
{
    int count = 0;
    const cJSON *property;
    cJSON_ArrayForEach(property, get(schema, "properties"))
    {
        bool snap = strcmp(property->string, "snap") == 0;
        count += snap ? cJSON_GetArraySize(get(resolve(property), "properties")) : 1;
    }
    return count;
}

static void check_question(const route *of)
{
    const cJSON *operation = get(get(get(document, "paths"), of->pattern), method_word(of->method));
    const cJSON *body = resolve(
        get(get(get(get(operation, "requestBody"), "content"), "application/json"), "schema"));
    const proto_fields fields = of->query->kind->fields;
    uint32_t taken = 0;
    for (uint32_t i = 0; i < fields.count; i++) {
        if ((fields.absent >> i & 1) != 0) {
            continue;
        }
        taken++;
        const cJSON *schema = of->body == BODY_NONE
                                  ? parameter_schema(operation, fields.rows[i].name)
                                  : member_schema(body, fields.rows[i].name);
        check_row(of, schema, &fields.rows[i]);
    }
    // As many as there are: nothing is described that is not taken.
    int described = of->body == BODY_NONE ? cJSON_GetArraySize(get(operation, "parameters")) - 1
                                          : count_members(body);
    if (described != (int)taken) {
        fail_msg("%s %s describes %d members, and takes %u", method_word(of->method), of->pattern,
                 described, taken);
    }
}

static void questions_have_their_members(void **state)
{
    (void)state;
    const size_t count = routes_all()->count;
    const route *rows = routes_all()->rows;
    size_t questions = 0;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].query != NULL) {
            check_question(&rows[i]);
            questions++;
        }
    }
    assert_true(questions > 0);
}

// ---- errors ----

static void error_codes(void **state)
{
    (void)state;
    const cJSON *codes =
        get(get(get(follow("#/components/schemas/Problem"), "properties"), "code"), "enum");
    int known = 0;
    for (nav_status status = NAV_OK + 1; status < PROTO_STATUS_COUNT; status++) {
        const cJSON *code;
        bool found = false;
        cJSON_ArrayForEach(code, codes)
        {
            found = found || strcmp(cJSON_GetStringValue(code), proto_status_word(status)) == 0;
        }
        if (!found) {
            fail_msg("Problem.code lacks %s", proto_status_word(status));
        }
        known++;
    }
    assert_int_equal(cJSON_GetArraySize(codes), known);
}

// The members of an object that the daemon has written are those of its schema.
static void check_members(const cJSON *written, const char *schema_name)
{
    char reference[96];
    (void)snprintf(reference, sizeof reference, "#/components/schemas/%s", schema_name);
    const cJSON *schema = follow(reference), *member, *needed;
    assert_non_null(schema);
    cJSON_ArrayForEach(member, written)
    {
        if (get(get(schema, "properties"), member->string) == NULL) {
            fail_msg("%s lacks %s", schema_name, member->string);
        }
    }
    cJSON_ArrayForEach(needed, get(schema, "required"))
    {
        if (get(written, needed->valuestring) == NULL) {
            fail_msg("%s requires %s, which is not written", schema_name, needed->valuestring);
        }
    }
}

static void check_written(proto_writer *w, const char *schema_name)
{
    cJSON *written = taken(w);
    check_members(written, schema_name);
    cJSON_Delete(written);
}

static void replies_have_their_members(void **state)
{
    (void)state;
    proto_writer w;
    proto_writer_init(&w);
    nav_error err = {.status = NAV_GRID_TOO_LARGE, .suggest_cell_size = 0.5};
    proto_write_error(&w, &err, "r1");
    check_written(&w, "Problem");
    const proto_version version = {
        .mesh = "a", .version = 1, .state = "ready", .created_at = "", .deduplicated = true};
    proto_write_version(&w, &version);
    check_written(&w, "Version");
    const nav_mesh_stats stats = {.polygons = 1};
    const nav_bake_report report = {0};
    proto_write_stats(&w, &stats, &report);
    check_written(&w, "Stats");
    proto_write_timings(&w, &report, 0, 0);
    check_written(&w, "Timings");
    proto_write_deadline_exceeded(&w, &(proto_answer_head){.mesh = "a", .version = 1});
    check_written(&w, "Late");
    const nav_path path = {.status = NAV_PATH_NONE};
    const proto_path_reply path_reply = {.path = &path, .details = PROTO_DETAIL_AREAS};
    proto_write_path(&w, &(proto_answer_head){.mesh = "a", .version = 1}, &path_reply);
    check_written(&w, "Path");
    proto_write_path(&w, &(proto_answer_head){.id = "1"}, &path_reply);
    check_written(&w, "PathResult");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header),
        cmocka_unit_test(every_route_is_described),
        cmocka_unit_test(media_types_are_described),
        cmocka_unit_test(scopes_are_described),
        cmocka_unit_test(nothing_else_is_described),
        cmocka_unit_test(operations_are_whole),
        cmocka_unit_test(uploads_have_their_types),
        cmocka_unit_test(references_lead_somewhere),
        cmocka_unit_test(bodies_force_no_member),
        cmocka_unit_test(questions_have_their_members),
        cmocka_unit_test(error_codes),
        cmocka_unit_test(replies_have_their_members),
    };
    return cmocka_run_group_tests(tests, parse_document, free_document);
}
