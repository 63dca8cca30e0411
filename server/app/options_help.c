// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// options_help.c: the table of options as the daemon's --help prints it.

#include "server/app/options.h"

#include "proto/proto.h"

#include <stdio.h>
#include <string.h>

#define HELP_COLUMN 30

static void put_default(proto_writer *w, const option_row *row)
{
    if (row->fallback_text != NULL) {
        proto_write_text(w, " (default %s)", row->fallback_text);
    } else if (row->type == OPTION_TYPE_CHOICE) {
        for (unsigned i = 0; row->words[i] != NULL; i++) {
            proto_write_text(w, "%s%s", i > 0 ? ", " : ": ", row->words[i]);
        }
        proto_write_text(w, " (default %s)", row->words[(unsigned)row->fallback]);
    } else if ((row->type == OPTION_TYPE_UINT || row->type == OPTION_TYPE_NUMBER) &&
               row->fallback >= row->min) {
        proto_write_text(w, " (default %.10g)", row->fallback);
    }
}

static void put_row(proto_writer *w, const option_row *row)
{
    char flag[64];
    (void)snprintf(flag, sizeof flag, "--%s%s%s", row->name, row->value != NULL ? " " : "",
                   row->value != NULL ? row->value : "");
    const char *line = row->help != NULL ? row->help : "";
    proto_write_text(w, "  %-*s", line[0] != '\0' ? HELP_COLUMN - 2 : 0, flag);
    // What is too long for its column has its text begin on the next line.
    if (strlen(flag) + 3 > HELP_COLUMN && line[0] != '\0') {
        proto_write_text(w, "\n%*s", HELP_COLUMN, "");
    }
    for (; *line != '\0'; line += strcspn(line, "\n")) {
        line += *line == '\n' ? 1 : 0;
        proto_write_text(w, "%.*s", (int)strcspn(line, "\n"), line);
        if (line[strcspn(line, "\n")] == '\n') {
            proto_write_text(w, "\n%*s", HELP_COLUMN, "");
        }
    }
    put_default(w, row);
    proto_write_text(w, "\n");
}

char *options_help(void)
{
    size_t size_bytes;
    size_t count;
    const option_row *rows = options_rows(&count);
    proto_writer w;
    proto_writer_init(&w);
    proto_write_text(&w, "usage: navmeshd [option]...\n"
                         "       navmeshd bake|verify|backup --help\n"
                         "Bakes navigation meshes and answers path queries over HTTP.\n\n");
    for (size_t i = 0; i < count; i++) {
        if (options_row_is_for(&rows[i], OPTION_FOR_SERVE)) {
            put_row(&w, &rows[i]);
        }
    }
    return proto_writer_take(&w, &size_bytes);
}
