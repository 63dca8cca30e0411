// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test_openapi_settings.c: in openapi.json, settings have the names, bounds and defaults that the
// daemon has, and those that are words are arguments of an upload.

#include "tests/unit/config_text.h"
#include "tests/unit/openapi_document.h"

static cJSON *default_settings(void)
{
    proto_writer w;
    nav_config config = nav_config_default();
    proto_writer_init(&w);
    proto_write_config(&w, &config);
    return taken(&w);
}

// Each member that the daemon writes has a property with that default. What it writes only where it
// was given has none, and no other property is left.
static void check_defaults(const cJSON *written, const cJSON *schema)
{
    const cJSON *properties = get(schema, "properties"), *member;
    int with_default = 0;
    cJSON_ArrayForEach(member, properties)
    {
        with_default += get(member, "x-default") != NULL || get(member, "properties") != NULL;
    }
    assert_int_equal(with_default, cJSON_GetArraySize(written));
    cJSON_ArrayForEach(member, written)
    {
        const cJSON *property = get(properties, member->string);
        if (property == NULL) {
            fail_msg("the settings lack %s", member->string);
        }
        if (get(property, "properties") != NULL) {
            check_defaults(member, property);
        } else if (!cJSON_Compare(get(property, "x-default"), member, true)) {
            fail_msg("the default of %s is another", member->string);
        }
    }
}

static void settings_have_their_defaults(void **state)
{
    (void)state;
    cJSON *written = default_settings();
    check_defaults(written, follow("#/components/schemas/Settings"));
    cJSON_Delete(written);
}

static nav_status read_setting(const char *group, const char *name, double value)
{
    char json[160];
    nav_config config = nav_config_default();
    nav_arena memory;
    nav_arena_init(&memory, NULL, 1u << 20);
    (void)snprintf(json, sizeof json, group != NULL ? "{\"%s\":{\"%s\":%.9g}}" : "{%s\"%s\":%.9g}",
                   group != NULL ? group : "", name, value);
    nav_status status = proto_config_read(json, strlen(json), &memory, &config, NULL);
    status = status == NAV_OK ? nav_config_check(&config, NULL) : status;
    nav_arena_free(&memory);
    return status;
}

// Returns how many bounds were looked at.
static int check_bounds(const cJSON *schema, const char *group)
{
    int looked_at = 0;
    const cJSON *property;
    cJSON_ArrayForEach(property, get(schema, "properties"))
    {
        const cJSON *min = get(property, "minimum"), *max = get(property, "maximum");
        if (get(property, "properties") != NULL) {
            looked_at += check_bounds(property, property->string);
        }
        if (min == NULL || max == NULL) {
            continue;
        }
        // Beyond a bound by more than a float's grain there.
        double step = strcmp(word(property, "type"), "integer") == 0 ? 1 : 1e-3;
        double above = max->valuedouble + step * (1 + (step < 1 ? max->valuedouble : 0));
        bool good = read_setting(group, property->string, min->valuedouble) == NAV_OK &&
                    read_setting(group, property->string, max->valuedouble) == NAV_OK &&
                    read_setting(group, property->string, min->valuedouble - step) != NAV_OK &&
                    read_setting(group, property->string, above) != NAV_OK;
        if (!good) {
            fail_msg("the bounds of %s are others", property->string);
        }
        looked_at++;
    }
    return looked_at;
}

static void settings_have_their_bounds(void **state)
{
    (void)state;
    assert_true(check_bounds(follow("#/components/schemas/Settings"), NULL) >= 12);
}

// A setting of more than a word cannot stand in the query string, all others can.
static void settings_are_arguments_of_an_upload(void **state)
{
    (void)state;
    const cJSON *upload = get(get(get(document, "paths"), "/v1/meshes/{mesh}/versions"), "post"),
                *item;
    int settings = 0;
    cJSON_ArrayForEach(item, get(upload, "parameters"))
    {
        const cJSON *parameter = resolve(item);
        nav_config config = nav_config_default();
        const char *name = word(parameter, "name");
        bool known = false;
        const proto_arg arg = {.key = name, .value = "no such value"};
        (void)config_argument(&arg, &config, &known, NULL);
        char between[64];
        (void)snprintf(between, sizeof between, " %.60s ", name);
        const bool of_upload =
            strstr(" wait activate reuse force require_checks strict accept ", between) != NULL;
        if (strcmp(word(parameter, "in"), "query") == 0 && !of_upload) {
            assert_true(known);
            settings++;
        }
    }
    assert_true(settings >= 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(settings_have_their_defaults),
        cmocka_unit_test(settings_have_their_bounds),
        cmocka_unit_test(settings_are_arguments_of_an_upload),
    };
    return cmocka_run_group_tests(tests, parse_document, free_document);
}
