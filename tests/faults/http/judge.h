// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// judge.h: whether a client was answered as its row says.

#pragma once

#include "tests/faults/http/cases.h"
#include "tests/faults/http/talk.h"

// Judges the replies to a row that has been sent. NULL: they are the row's, and nothing else comes;
// else the fault. note is told the name of each reply.
const char *case_judge(const case_row *row, talk *t, void (*note)(void *user, const char *id),
                       void *user);
