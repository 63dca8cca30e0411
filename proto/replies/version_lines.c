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
    {PROTO_ROW(STRING, check_row, name), .required = true},
    {PROTO_ROW(BOOL, check_row, passed), .required = true},
    {PROTO_ROW(STRING, check_row, detail), .required = true},
};

typedef struct warning_row {
    const char *code;
    uint32_t count;
    proto_item items;
    const char *detail, *suggest; // of a level that is odd
} warning_row;

static const proto_field WARNING[] = {
    {PROTO_ROW(STRING, warning_row, code), .required = true},
    {PROTO_ROW(UINT, warning_row, count), .min = 1, .max = UINT32_MAX, .required = true},
    {PROTO_ROW(ITEM, warning_row, items), .required = true},
    {PROTO_ROW(STRING, warning_row, detail)},
    {PROTO_ROW(STRING, warning_row, suggest)},
};

typedef struct item_row {
    float position[3], value;
    const char *name;
} item_row;

typedef struct agent_row {
    proto_item blob, stats, warnings;
} agent_row;

enum {
    POSITION,
    VALUE,
    NAME
};

static const proto_field ITEM[] = {
    [POSITION] = {PROTO_ROW(POINT, item_row, position)},
    [VALUE] = {PROTO_ROW(FLOAT, item_row, value), .min = -(double)FLT_MAX, .max = (double)FLT_MAX},
    [NAME] = {PROTO_ROW(STRING, item_row, name)},
};

static const proto_field AGENT[] = {
    {PROTO_ROW(ITEM, agent_row, blob)},
    {PROTO_ROW(ITEM, agent_row, stats)},
    {PROTO_ROW(ITEM, agent_row, warnings), .required = true},
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

static nav_status write_check(proto_lines *lines, const proto_item *item, nav_error *err)
{
    check_row check = {0};
    nav_status status = proto_fields_read_item(PROTO_ROWS(CHECK), item, "", &check, NULL, err);
    if (status == NAV_OK && !check.passed) {
        lines->failed_checks++;
        proto_write_text(&lines->text, "%scheck ", lines->prefix);
        write_quoted(lines, check.name);
        proto_write_text(&lines->text, " failed: %s\n", check.detail);
    }
    return status;
}

// , first "ferry" at [2,0,2] (5.5)
static nav_status write_first(proto_lines *lines, const proto_item *item, nav_error *err)
{
    item_row row = {0};
    uint64_t seen;
    nav_status status = proto_fields_read_item(PROTO_ROWS(ITEM), item, "", &row, &seen, err);
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

static nav_status write_warning(proto_lines *lines, const proto_item *item, nav_error *err)
{
    warning_row warning = {0};
    nav_status status = proto_fields_read_item(PROTO_ROWS(WARNING), item, "", &warning, NULL, err);
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
    proto_item first;
    if (warning.items.kind == PROTO_TOKEN_LIST && proto_item_first(&warning.items, &first)) {
        status = write_first(lines, &first, err);
    }
    proto_write_text(&lines->text, "\n");
    return status;
}

typedef nav_status write_item(proto_lines *lines, const proto_item *item, nav_error *err);

static nav_status write_list(proto_lines *lines, const proto_item *list, write_item *write,
                             nav_error *err)
{
    nav_status status = NAV_OK;
    proto_item item;
    if (list->kind != PROTO_TOKEN_LIST) {
        return proto_item_invalid(list, "it", "a list", err);
    }
    for (bool more = proto_item_first(list, &item); more;
         more = status == NAV_OK && proto_item_next(&item)) {
        status = write(lines, &item, err);
    }
    return status;
}

static nav_status write_agents(proto_lines *lines, const proto_item *agents, nav_error *err)
{
    nav_status status = NAV_OK;
    proto_member member;
    if (agents->kind != PROTO_TOKEN_OBJECT) {
        return proto_item_invalid(agents, "agents", "an object", err);
    }
    for (bool more = proto_member_first(agents, &member); more;
         more = status == NAV_OK && proto_member_next(&member)) {
        agent_row agent = {0};
        status = proto_fields_read_item(PROTO_ROWS(AGENT), &member.value, "", &agent, NULL, err);
        lines->agent = member.name;
        NAV_IF_OK(status, write_list(lines, &agent.warnings, write_warning, err));
        lines->agent = NULL;
    }
    return status;
}

// A list of what `write` writes, or with NULL agents; json NULL: none.
static nav_status write_each(proto_lines *lines, const char *json, write_item *write,
                             nav_error *err)
{
    struct cJSON *root;
    if (json == NULL) {
        return NAV_OK;
    }
    nav_status status = proto_document_parse(json, strlen(json), PROTO_JSON_VALUES_MAX, &root, err);
    if (status == NAV_OK) {
        const proto_item item = proto_item_of_node(root);
        status =
            write != NULL ? write_list(lines, &item, write, err) : write_agents(lines, &item, err);
        proto_document_delete(root);
    }
    return status;
}

nav_status proto_lines_write(proto_lines *lines, const char *checks_json, const char *warnings_json,
                             const char *agents_json, nav_error *err)
{
    lines->text.coordinates = nav_coordinates_default(); // the texts are the level's already
    nav_status status = write_each(lines, checks_json, write_check, err);
    NAV_IF_OK(status, write_each(lines, warnings_json, write_warning, err));
    NAV_IF_OK(status, write_each(lines, agents_json, NULL, err));
    return status == NAV_OK && lines->text.failed ? proto_fields_no_memory(err) : status;
}
