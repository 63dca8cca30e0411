// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// log_file.c: how SQLite writes its write-ahead log: in large pieces. It hands over a head of
// 24 bytes and a page, again and again, which are two calls of the system each and never begin
// where a block of the file does. Here they wait, one behind the other, until there is a piece of
// them, or until somebody asks for what is in the file:
//
//   head, page, head, page ... --> waiting --(full, or sync, read, size, truncate, close)--> file
//
// All else goes through as it is: this is SQLite's own file with another way of writing, and only
// the log has it (sqlite.org/vfs.html, "shims").
//
// Why nothing is lost: a commit under synchronous=FULL ends with a sync of the log, and only after
// that SQLite tells other connections of the frames. What waits here therefore is always part of a
// transaction that nobody has been told of. A connection that commits without a sync must not use
// this file.

#include "server/store/db.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// SQLite's unix files take less than 128 KiB at once without a loop of their own; this is a whole
// number of the file system's blocks.
#define PIECE_BYTES ((size_t)124 << 10)

typedef struct log_file {
    sqlite3_file base; // ours, as SQLite sees it
    sqlite3_file *real;
    uint8_t *waiting;   // PIECE_BYTES; NULL before the first write
    size_t used;        // of that
    sqlite3_int64 from; // where in the file its first byte belongs
} log_file;

static sqlite3_vfs *below; // SQLite's own; set once

// What waits goes into the file. After a failure it is given up: SQLite then writes from the end
// of the last commit again.
static int flush(log_file *f)
{
    const size_t size_bytes = f->used;
    f->used = 0;
    return size_bytes == 0
               ? SQLITE_OK
               : f->real->pMethods->xWrite(f->real, f->waiting, (int)size_bytes, f->from);
}

static int log_write(sqlite3_file *file, const void *bytes, int size_bytes, sqlite3_int64 at)
{
    log_file *f = (log_file *)file;
    const uint8_t *next = bytes;
    size_t left = (size_t)size_bytes;
    if (f->waiting == NULL && (f->waiting = malloc(PIECE_BYTES)) == NULL) {
        return SQLITE_IOERR_NOMEM;
    }
    if (f->used > 0 && at != f->from + (sqlite3_int64)f->used) {
        int code = flush(f);
        if (code != SQLITE_OK) {
            return code;
        }
    }
    while (left > 0) {
        f->from = f->used == 0 ? at : f->from;
        // The first piece ends where a block does, so that all others begin there.
        const size_t room = PIECE_BYTES - (size_t)(f->from % 4096) - f->used;
        const size_t part = left < room ? left : room;
        memcpy(f->waiting + f->used, next, part);
        f->used += part;
        next += part;
        left -= part;
        at += (sqlite3_int64)part;
        int code = part == room ? flush(f) : SQLITE_OK;
        if (code != SQLITE_OK) {
            return code;
        }
    }
    return SQLITE_OK;
}

// ---- what looks at the file ----

static int log_read(sqlite3_file *file, void *out, int size_bytes, sqlite3_int64 at)
{
    log_file *f = (log_file *)file;
    int code = flush(f);
    return code == SQLITE_OK ? f->real->pMethods->xRead(f->real, out, size_bytes, at) : code;
}

static int log_truncate(sqlite3_file *file, sqlite3_int64 size_bytes)
{
    log_file *f = (log_file *)file;
    int code = flush(f);
    return code == SQLITE_OK ? f->real->pMethods->xTruncate(f->real, size_bytes) : code;
}

static int log_sync(sqlite3_file *file, int flags)
{
    log_file *f = (log_file *)file;
    int code = flush(f);
    return code == SQLITE_OK ? f->real->pMethods->xSync(f->real, flags) : code;
}

static int log_size(sqlite3_file *file, sqlite3_int64 *size_bytes)
{
    log_file *f = (log_file *)file;
    int code = flush(f);
    return code == SQLITE_OK ? f->real->pMethods->xFileSize(f->real, size_bytes) : code;
}

static int log_close(sqlite3_file *file)
{
    log_file *f = (log_file *)file;
    int code = flush(f);
    free(f->waiting);
    f->waiting = NULL;
    int closed = f->real->pMethods->xClose(f->real);
    return code == SQLITE_OK ? closed : code;
}

// ---- what goes through ----

// SQLite's own file below.
static sqlite3_file *real_of(sqlite3_file *file)
{
    return ((log_file *)file)->real;
}

static int log_lock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xLock(real_of(file), level);
}

static int log_unlock(sqlite3_file *file, int level)
{
    return real_of(file)->pMethods->xUnlock(real_of(file), level);
}

static int log_check_reserved(sqlite3_file *file, int *out)
{
    return real_of(file)->pMethods->xCheckReservedLock(real_of(file), out);
}

static int log_control(sqlite3_file *file, int what, void *argument)
{
    return real_of(file)->pMethods->xFileControl(real_of(file), what, argument);
}

static int log_sector(sqlite3_file *file)
{
    return real_of(file)->pMethods->xSectorSize(real_of(file));
}

static int log_device(sqlite3_file *file)
{
    return real_of(file)->pMethods->xDeviceCharacteristics(real_of(file));
}

// ---- the file system ----

// Version 1: without the functions of shared memory and of mapped files, which a log never has.
static const sqlite3_io_methods LOG_METHODS = {
    .iVersion = 1,
    .xClose = log_close,
    .xRead = log_read,
    .xWrite = log_write,
    .xTruncate = log_truncate,
    .xSync = log_sync,
    .xFileSize = log_size,
    .xLock = log_lock,
    .xUnlock = log_unlock,
    .xCheckReservedLock = log_check_reserved,
    .xFileControl = log_control,
    .xSectorSize = log_sector,
    .xDeviceCharacteristics = log_device,
};

// Memory for our head and, behind it, SQLite's file; other files than the log are only the latter.
static int open_file(sqlite3_vfs *own, const char *name, sqlite3_file *file, int flags,
                     int *flags_out)
{
    (void)own;
    if ((flags & SQLITE_OPEN_WAL) == 0) {
        return below->xOpen(below, name, file, flags, flags_out);
    }
    log_file *f = (log_file *)file;
    *f = (log_file){.real = (sqlite3_file *)(f + 1)};
    int code = below->xOpen(below, name, f->real, flags, flags_out);
    // SQLite closes what has methods, also after a failure.
    f->base.pMethods = f->real->pMethods != NULL ? &LOG_METHODS : NULL;
    return code;
}

static void register_once(void)
{
    static sqlite3_vfs own;
    below = sqlite3_vfs_find(NULL);
    own = *below;
    own.pNext = NULL;
    own.zName = STORE_LOG_FILE;
    own.szOsFile += (int)sizeof(log_file);
    own.xOpen = open_file;
    (void)sqlite3_vfs_register(&own, 0);
}

void store_log_file_register(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, register_once);
}
