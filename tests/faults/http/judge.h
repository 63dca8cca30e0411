// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// judge.h: whether a client was answered as its row says.

#pragma once

#include "tests/faults/http/cases.h"
#include "tests/faults/http/talk.h"

// What has been sent on the connection stands in the row. NULL: the replies are the row's, and
// nothing else comes; else what is wrong. note is told the name of each reply.
const char *case_judge(const case_row *row, talk *t, void (*note)(void *user, const char *id),
                       void *user);
