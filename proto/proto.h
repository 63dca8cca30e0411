// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// proto.h: bytes to structs, and back. No sockets, files, threads or globals. Every function that
// reads outside bytes is safe on any bytes and is fuzzed. Each room has a header, and that is its
// manual:
//
//   bytes of an upload   --geometry/upload.h-->    nav_geometry, text of the settings
//   text of the settings --settings/config.h-->    nav_config
//   body or arguments    --requests/requests.h-->  a request's struct
//   results, errors      --replies/replies.h-->    bytes
//   a mesh               --exports/exports.h-->    a file for other programs
//
// Beside them, for some: http/wire.h (bytes before the HTTP library sees them), json/document.h
// (the configuration file), base/text.h (UTF-8).

#pragma once

// Every way in which a request can end; Y up and Z up.
#include "proto/base/status.h"

#include "proto/base/coordinates.h"

// The writer, and the bounds of what is read.
#include "proto/json/json.h"

// Bytes in, and bytes out.
#include "proto/settings/config.h"

#include "proto/geometry/upload.h"

#include "proto/geometry/parts.h"

#include "proto/requests/requests.h"

#include "proto/requests/instances.h"

#include "proto/replies/replies.h"
