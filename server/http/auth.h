// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// auth.h: tokens and their scopes. A token file has one token a line:
//
//   # a comment
//   query        7Vn3c0Zk1yQmJ0pH6bqTt2   game servers
//   bake,query   pW9s4LrXo8eGd5fUa1iKzC
//   query,world  mK3cV8nQ2xZ7bL5tY9uRwE   runs the dungeons
//   admin        hJ2mN6vB8xR4tY0wQ7eDsA
//
// scopes, the token (16 to 256 characters of A-Z a-z 0-9 - . _ ~ + / =), and anything. The scopes
// that a route asks for stand in api/routes.c; admin may do everything. Only digests are kept in
// memory.

#pragma once

#include "proto/base/status.h"

// Bits of a route's scopes. A route without any is for admin alone.
#define AUTH_QUERY 1u
#define AUTH_BAKE 2u
#define AUTH_ADMIN 4u
#define AUTH_FREE 8u // of a route: needs no token
#define AUTH_WORLD 16u

typedef struct auth auth;

// Reads the file. Errors: NAV_INVALID_FIELD (the file cannot be opened, is readable by others, or
// line N is wrong; never with a token in its text), NAV_NO_MEMORY.
nav_status auth_open(const char *file, auth **out, nav_error *err);
void auth_close(auth *a); // NULL is harmless
// Reads the file again and puts its tokens in place of the old ones; on failure those stay. Thread:
// any.
nav_status auth_reload(auth *a, nav_error *err);

// Whether a request with this Authorization header (NULL: none) may use a route with these scopes.
// The time it takes does not reveal how near a guess is. Errors: PROTO_TOKEN_MISSING (none, or one
// that is unknown), PROTO_TOKEN_SCOPE. Thread: any.
nav_status auth_check(auth *a, const char *authorization, uint32_t scopes, nav_error *err);
