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
//
// Below them all: base/status.h (every way in which a request can end), json/json.h (the writer,
// and the bounds of what is read), base/coordinates.h. Beside them, for some: http/wire.h (bytes
// before the HTTP library sees them), json/document.h (the configuration file),
// replies/version_lines.h (lines for people), base/text.h (UTF-8).

#pragma once

#include "proto/replies/replies.h"
