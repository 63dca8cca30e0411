// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// version_lines.c: one line for each warning and failed check. Read from the texts that the
// version's object has, which version.c and checks.c wrote.

#include "proto/replies/replies.h"

#include "proto/base/text.h"
#include "proto/json/document.h"
#include "proto/json/fields.h"

#include <float.h>
#include <string.h>

typedef struct check_row {
    bool passed;
    const char *name, *detail;
} check_row;

static const proto_field CHECK[] = {
    {.name = "name",
     .type = PROTO_FIELD_STRING,
     .offset = offsetof(check_row, name),
     .required = true},
    {.name = "passed",
     .type = PROTO_FIELD_BOOL,
     .offset = offsetof(check_row, passed),
     .required = true},
    {.name = "detail",
     .type = PROTO_FIELD_STRING,
     .offset = offsetof(check_row, detail),
     .required = true},
};

typedef struct warning_row {
    const char *code;
    uint32_t count;
    const struct cJSON *items;
    const char *detail, *suggest; // of a level that is odd
} warning_row;

static const proto_field WARNING[] = {
    {.name = "code",
     .type = PROTO_FIELD_STRING,
     .offset = offsetof(warning_row, code),
     .required = true},
    {.name = "count",
     .type = PROTO_FIELD_UINT,
     .offset = offsetof(warning_row, count),
     .min = 1,
     .max = UINT32_MAX,
     .required = true},
    {.name = "items",
     .type = PROTO_FIELD_TREE,
     .offset = offsetof(warning_row, items),
     .required = true},
    {.name = "detail", .type = PROTO_FIELD_STRING, .offset = offsetof(warning_row, detail)},
    {.name = "suggest", .type = PROTO_FIELD_STRING, .offset = offsetof(warning_row, suggest)},
};

typedef struct item_row {
    float position[3], value;
    const char *name;
} item_row;

typedef struct agent_row {
    const struct cJSON *blob, *stats, *warnings;
} agent_row;

enum {
    POSITION,
    VALUE,
    NAME
};

static const proto_field ITEM[] = {
    [POSITION] = {.name = "position",
                  .type = PROTO_FIELD_POINT,
                  .offset = offsetof(item_row, position)},
    [VALUE] = {.name = "value",
               .type = PROTO_FIELD_FLOAT,
               .offset = offsetof(item_row, value),
               .min = -(double)FLT_MAX,
               .max = (double)FLT_MAX},
    [NAME] = {.name = "name", .type = PROTO_FIELD_STRING, .offset = offsetof(item_row, name)},
};

static const proto_field AGENT[] = {
    {.name = "blob", .type = PROTO_FIELD_TREE, .offset = offsetof(agent_row, blob)},
    {.name = "stats", .type = PROTO_FIELD_TREE, .offset = offsetof(agent_row, stats)},
    {.name = "warnings",
     .type = PROTO_FIELD_TREE,
     .offset = offsetof(agent_row, warnings),
     .required = true},
};

// Names are a client's: what a terminal would obey is escaped.
static void write_quoted(proto_lines *lines, const char *name)
{
    proto_write_string(&lines->text, name);
    lines->text.need_comma = false;
}

// A sentence with such a name in it: what is no character is a question mark.
static void write_sentence(proto_lines *lines, const char *text)
{
    for (; *text != '\0'; text++) {
        proto_writer_put(&lines->text, proto_text_is_printable(text, 1) ? text : "?", 1);
    }
}

static nav_status write_check(proto_lines *lines, const struct cJSON *item, nav_error *err)
{
    check_row check = {0};
    uint64_t seen;
    nav_status status = proto_fields_read_tree(PROTO_ROWS(CHECK), item, "", &check, &seen, err);
    if (status == NAV_OK && !check.passed) {
        lines->failed_checks++;
        proto_write_text(&lines->text, "%scheck ", lines->prefix);
        write_quoted(lines, check.name);
        proto_write_text(&lines->text, " failed: %s\n", check.detail);
    }
    return status;
}

// , first "ferry" at [2,0,2] (5.5)
static nav_status write_first(proto_lines *lines, const struct cJSON *item, nav_error *err)
{
    item_row row = {0};
    uint64_t seen;
    nav_status status = proto_fields_read_tree(PROTO_ROWS(ITEM), item, "", &row, &seen, err);
    if (status != NAV_OK) {
        return status;
    }
    proto_write_text(&lines->text, ", first");
    if ((seen & 1u << NAME) != 0) {
        proto_write_text(&lines->text, " ");
        write_quoted(lines, row.name);
    }
    if ((seen & 1u << POSITION) != 0) {
        proto_write_text(&lines->text, " at ");
        proto_write_point(&lines->text, row.position);
        lines->text.need_comma = false;
    }
    if ((seen & 1u << VALUE) != 0) {
        proto_write_text(&lines->text, " (");
        proto_write_fixed(&lines->text, (double)row.value, 3);
        proto_write_text(&lines->text, ")");
        lines->text.need_comma = false;
    }
    return NAV_OK;
}

static nav_status write_warning(proto_lines *lines, const struct cJSON *item, nav_error *err)
{
    warning_row warning = {0};
    uint64_t seen;
    nav_status status = proto_fields_read_tree(PROTO_ROWS(WARNING), item, "", &warning, &seen, err);
    if (status != NAV_OK) {
        return status;
    }
    lines->warnings++;
    proto_write_text(&lines->text, "%s", lines->prefix);
    if (lines->agent != NULL) {
        proto_write_text(&lines->text, "agent %s: ", lines->agent);
    }
    if (warning.detail != NULL) {
        proto_write_text(&lines->text, "warning %s: ", warning.code);
        write_sentence(lines, warning.detail);
        proto_write_text(&lines->text, "\n");
        return NAV_OK;
    }
    proto_write_text(&lines->text, "warning %s: %u", warning.code, warning.count);
    const struct cJSON *first = proto_fields_first(warning.items);
    status = first != NULL ? write_first(lines, first, err) : NAV_OK;
    proto_write_text(&lines->text, "\n");
    return status;
}

typedef nav_status write_item(proto_lines *lines, const struct cJSON *item, nav_error *err);

static nav_status write_list(proto_lines *lines, const struct cJSON *list, write_item *write,
                             nav_error *err)
{
    nav_status status = NAV_OK;
    for (const struct cJSON *item = proto_fields_first(list); status == NAV_OK && item != NULL;
         item = proto_fields_next(item)) {
        status = write(lines, item, err);
    }
    return status;
}

static nav_status write_agent(proto_lines *lines, const struct cJSON *item, nav_error *err)
{
    agent_row agent = {0};
    uint64_t seen;
    nav_status status = proto_fields_read_tree(PROTO_ROWS(AGENT), item, "", &agent, &seen, err);
    if (status == NAV_OK) {
        lines->agent = proto_fields_name(item);
        status = write_list(lines, agent.warnings, write_warning, err);
        lines->agent = NULL;
    }
    return status;
}

static nav_status write_each(proto_lines *lines, const char *json, write_item *write,
                             nav_error *err)
{
    struct cJSON *list = NULL;
    nav_status status =
        json != NULL ? proto_document_parse(json, strlen(json), PROTO_JSON_VALUES_MAX, &list, err)
                     : NAV_OK;
    if (status != NAV_OK || list == NULL) {
        return status;
    }
    status = write_list(lines, list, write, err);
    proto_document_delete(list);
    return status;
}

nav_status proto_lines_write(proto_lines *lines, const char *checks_json, const char *warnings_json,
                             const char *agents_json, nav_error *err)
{
    lines->text.coordinates = nav_coordinates_default(); // the texts are the level's already
    nav_status status = write_each(lines, checks_json, write_check, err);
    NAV_IF_OK(status, write_each(lines, warnings_json, write_warning, err));
    NAV_IF_OK(status, write_each(lines, agents_json, write_agent, err));
    return status == NAV_OK && lines->text.failed ? proto_fields_no_memory(err) : status;
}
