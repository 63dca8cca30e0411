// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// vfs.c: see vfs.h. Unlocking and closing never fail, as they never do in the kernel.

#include "tests/faults/disk/vfs.h"

#include "core/tile/tile.h"

#include <errno.h>
#include <sqlite3.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SECTOR_BYTES 4096
#define FILES_MAX 16
#define NAME_BYTES 512

// ---- what is on disk ----

typedef struct change {
    bool truncates;
    int64_t at;     // where it writes, or how long the file then is
    uint8_t *bytes; // malloc'ed
    int64_t size_bytes;
} change;

// A file that is followed, as it is on disk, and what has not been synced.
typedef struct followed {
    char name[NAME_BYTES];
    bool there; // its entry is on disk
    bool deleted;
    uint8_t *bytes;
    int64_t size_bytes;
    change *changes;
    size_t count;
} followed;

static struct {
    char folder[NAME_BYTES]; // "": nothing is followed
    vfs_cut *cut;
    void *user;
    bool cutting; // what the caller of a cut does is not followed
    followed files[FILES_MAX];
    size_t count;
} power;

static struct {
    bool armed, once, came;
    uint64_t left;
    vfs_fault fault;
    const char *call;
} failing;

static sqlite3_vfs *below;

static void *must(void *block)
{
    if (block == NULL) {
        abort();
    }
    return block;
}

static void put(uint8_t **bytes, int64_t *size_bytes, int64_t at, const uint8_t *from,
                int64_t count)
{
    if (at + count > *size_bytes) {
        *bytes = must(realloc(*bytes, (size_t)(at + count)));
        memset(*bytes + *size_bytes, 0, (size_t)(at + count - *size_bytes));
        *size_bytes = at + count;
    }
    memcpy(*bytes + at, from, (size_t)count);
}

static void cut_to(uint8_t **bytes, int64_t *size_bytes, int64_t wanted)
{
    if (wanted > *size_bytes) {
        *bytes = must(realloc(*bytes, (size_t)wanted));
        memset(*bytes + *size_bytes, 0, (size_t)(wanted - *size_bytes));
    }
    *size_bytes = wanted;
}

static void forget_changes(followed *f)
{
    for (size_t i = 0; i < f->count; i++) {
        free(f->changes[i].bytes);
    }
    free(f->changes);
    f->changes = NULL;
    f->count = 0;
}

static void note(followed *f, bool truncates, int64_t at, const void *bytes, int64_t size_bytes)
{
    if (f == NULL) {
        return;
    }
    f->changes = must(realloc(f->changes, (f->count + 1) * sizeof *f->changes));
    change *c = &f->changes[f->count++];
    *c = (change){.truncates = truncates, .at = at, .size_bytes = size_bytes};
    if (size_bytes > 0) {
        c->bytes = must(malloc((size_t)size_bytes));
        memcpy(c->bytes, bytes, (size_t)size_bytes);
    }
}

static void apply(uint8_t **bytes, int64_t *size_bytes, const change *c)
{
    if (c->truncates) {
        cut_to(bytes, size_bytes, c->at);
    } else {
        put(bytes, size_bytes, c->at, c->bytes, c->size_bytes);
    }
}

static void synced(followed *f)
{
    for (size_t i = 0; i < f->count; i++) {
        apply(&f->bytes, &f->size_bytes, &f->changes[i]);
    }
    forget_changes(f);
    f->there = true;
}

static void read_file(followed *f)
{
    FILE *in = fopen(f->name, "rb");
    uint8_t block[4096];
    size_t got;
    while (in != NULL && (got = fread(block, 1, sizeof block, in)) > 0) {
        put(&f->bytes, &f->size_bytes, f->size_bytes, block, (int64_t)got);
    }
    f->there = in != NULL;
    if (in != NULL) {
        (void)fclose(in);
    }
}

static followed *find(const char *name)
{
    for (size_t i = 0; i < power.count; i++) {
        if (strcmp(power.files[i].name, name) == 0) {
            return &power.files[i];
        }
    }
    return NULL;
}

// NULL: it is not followed.
static followed *follow(const char *name)
{
    if (name == NULL || power.folder[0] == '\0' || power.cutting ||
        strncmp(name, power.folder, strlen(power.folder)) != 0) {
        return NULL;
    }
    followed *f = find(name);
    if (f == NULL) {
        if (power.count == FILES_MAX) {
            abort();
        }
        f = &power.files[power.count++];
        *f = (followed){.there = false};
        (void)snprintf(f->name, sizeof f->name, "%s", name);
        read_file(f);
    } else if (f->deleted) { // another file of the same name
        f->deleted = f->there = false;
        f->size_bytes = 0;
    }
    return f;
}

static void cut(void)
{
    if (power.cut != NULL && !power.cutting) {
        power.cutting = true;
        power.cut(power.user);
        power.cutting = false;
    }
}

void vfs_power_end(void)
{
    for (size_t i = 0; i < power.count; i++) {
        forget_changes(&power.files[i]);
        free(power.files[i].bytes);
    }
    memset(&power, 0, sizeof power);
}

void vfs_power_begin(const char *folder, vfs_cut *where, void *user)
{
    vfs_power_end();
    (void)snprintf(power.folder, sizeof power.folder, "%s/", folder);
    power.cut = where;
    power.user = user;
}

// ---- an image ----

static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15); // splitmix64 (Vigna)
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

// Any sectors of a write.
static void apply_torn(uint8_t **bytes, int64_t *size_bytes, const change *c, uint64_t *random)
{
    for (int64_t from = 0, end; from < c->size_bytes; from = end) {
        end = (c->at + from) / SECTOR_BYTES * SECTOR_BYTES + SECTOR_BYTES - c->at;
        end = end < c->size_bytes ? end : c->size_bytes;
        if (next_random(random) % 2 == 0) {
            put(bytes, size_bytes, c->at + from, c->bytes + from, end - from);
        }
    }
}

static void apply_some(uint8_t **bytes, int64_t *size_bytes, const followed *f, uint64_t *random)
{
    size_t *order = must(malloc((f->count + 1) * sizeof *order));
    for (size_t i = 0; i < f->count; i++) {
        const size_t k = (size_t)(next_random(random) % (i + 1));
        order[i] = order[k];
        order[k] = i;
    }
    for (size_t i = 0; i < f->count; i++) {
        const change *c = &f->changes[order[i]];
        const uint64_t fate = next_random(random) % 3;
        if (fate == 1 && !c->truncates) {
            apply_torn(bytes, size_bytes, c, random);
        } else if (fate != 0) {
            apply(bytes, size_bytes, c);
        }
    }
    free(order);
}

// Returns a checksum of its name and its bytes; 0: there is none.
static uint64_t write_image(const followed *f, const char *folder, uint64_t mode, uint64_t *random)
{
    // An entry that was not synced may be lost; one whose removal was not may be there again.
    const bool there = f->deleted ? mode > 1 && f->there && next_random(random) % 2 == 0
                                  : f->there || (mode > 0 && next_random(random) % 4 != 0);
    if (!there) {
        return 0;
    }
    uint8_t *bytes = must(malloc((size_t)f->size_bytes + 1));
    int64_t size_bytes = f->size_bytes;
    if (f->size_bytes > 0) {
        memcpy(bytes, f->bytes, (size_t)f->size_bytes);
    }
    const size_t whole = mode == 0   ? 0
                         : mode == 1 ? f->count
                         : mode == 2 ? (size_t)(next_random(random) % (f->count + 1))
                                     : 0;
    for (size_t i = 0; i < whole; i++) {
        apply(&bytes, &size_bytes, &f->changes[i]);
    }
    if (mode > 2) {
        apply_some(&bytes, &size_bytes, f, random);
    }
    char name[2 * NAME_BYTES];
    (void)snprintf(name, sizeof name, "%s/%s", folder, strrchr(f->name, '/') + 1);
    FILE *out = must(fopen(name, "wb"));
    if (fwrite(bytes, 1, (size_t)size_bytes, out) != (size_t)size_bytes || fclose(out) != 0) {
        abort();
    }
    const uint64_t sums[] = {nav_tile_checksum(f->name, strlen(f->name)),
                             nav_tile_checksum(bytes, (size_t)size_bytes)};
    free(bytes);
    return nav_tile_checksum(sums, sizeof sums);
}

uint64_t vfs_power_image(const char *folder, uint64_t seed)
{
    uint64_t random = seed, sum = 0;
    for (size_t i = 0; i < power.count; i++) {
        sum ^= write_image(&power.files[i], folder, seed < 2 ? seed : 2 + seed % 4, &random);
    }
    return sum;
}

// ---- failing ----

typedef enum call {
    READ,
    WRITE,
    TRUNCATE,
    SYNC,
    SIZE,
    LOCK,
    OPEN,
    REMOVE,
    ACCESS,
    SHM_MAP,
    SHM_LOCK,
} call;

static const struct {
    const char *word;
    int code;
    bool needs_room;
} CALLS[] = {
    [READ] = {"read", SQLITE_IOERR_READ, false},
    [WRITE] = {"write", SQLITE_IOERR_WRITE, true},
    [TRUNCATE] = {"truncate", SQLITE_IOERR_TRUNCATE, false},
    [SYNC] = {"sync", SQLITE_IOERR_FSYNC, true},
    [SIZE] = {"size", SQLITE_IOERR_FSTAT, false},
    [LOCK] = {"lock", SQLITE_IOERR_LOCK, false},
    [OPEN] = {"open", SQLITE_CANTOPEN, false},
    [REMOVE] = {"remove", SQLITE_IOERR_DELETE, false},
    [ACCESS] = {"access", SQLITE_IOERR_ACCESS, false},
    [SHM_MAP] = {"shared memory", SQLITE_IOERR_SHMMAP, true},
    [SHM_LOCK] = {"lock of shared memory", SQLITE_IOERR_SHMLOCK, false},
};

static const char *const FAULT_WORDS[] = {
    [VFS_EIO] = "EIO", [VFS_FULL] = "ENOSPC", [VFS_SHORT] = "short write"};

const char *vfs_fault_word(vfs_fault fault)
{
    return FAULT_WORDS[fault];
}

const char *vfs_failed_call(void)
{
    return failing.call;
}

void vfs_fail(uint64_t after, vfs_fault fault, bool once)
{
    failing.left = after;
    failing.fault = fault;
    failing.once = once;
    failing.came = false;
    failing.call = "nothing";
    failing.armed = true;
}

bool vfs_fail_end(void)
{
    failing.armed = false;
    return failing.came;
}

// SQLITE_OK: go on.
static int fails(call which)
{
    if (!failing.armed || (failing.fault != VFS_EIO && !CALLS[which].needs_room) ||
        (failing.fault == VFS_SHORT && which != WRITE)) {
        return SQLITE_OK;
    }
    if (failing.left > 0) {
        failing.left--;
        return SQLITE_OK;
    }
    failing.call = failing.came ? failing.call : CALLS[which].word;
    failing.came = true;
    failing.armed = !failing.once;
    errno = failing.fault == VFS_EIO ? EIO : ENOSPC;
    return failing.fault != VFS_EIO && which == WRITE ? SQLITE_FULL : CALLS[which].code;
}

// ---- the file ----

typedef struct file {
    sqlite3_file base;
    sqlite3_file *real;
    char name[NAME_BYTES]; // "": a temporary one
} file;

static sqlite3_file *real_of(sqlite3_file *f)
{
    return ((file *)f)->real;
}

static followed *followed_of(sqlite3_file *f)
{
    const char *name = ((file *)f)->name;
    return power.cutting || name[0] == '\0' ? NULL : find(name);
}

static int file_close(sqlite3_file *f)
{
    return real_of(f)->pMethods->xClose(real_of(f));
}

static int file_read(sqlite3_file *f, void *out, int size_bytes, sqlite3_int64 at)
{
    const int code = fails(READ);
    return code != SQLITE_OK ? code : real_of(f)->pMethods->xRead(real_of(f), out, size_bytes, at);
}

static int file_write(sqlite3_file *f, const void *bytes, int size_bytes, sqlite3_int64 at)
{
    const int failed = fails(WRITE);
    if (failed != SQLITE_OK && (failing.fault != VFS_SHORT || size_bytes < 2)) {
        return failed;
    }
    const int done = failed != SQLITE_OK ? size_bytes / 2 : size_bytes;
    const int code = real_of(f)->pMethods->xWrite(real_of(f), bytes, done, at);
    if (code == SQLITE_OK) {
        note(followed_of(f), false, at, bytes, done);
    }
    return failed != SQLITE_OK ? failed : code;
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size_bytes)
{
    int code = fails(TRUNCATE);
    code = code != SQLITE_OK ? code : real_of(f)->pMethods->xTruncate(real_of(f), size_bytes);
    if (code == SQLITE_OK) {
        note(followed_of(f), true, size_bytes, NULL, 0);
    }
    return code;
}

static int file_sync(sqlite3_file *f, int flags)
{
    int code = fails(SYNC);
    followed *known = followed_of(f);
    if (known != NULL) {
        cut();
    }
    code = code != SQLITE_OK ? code : real_of(f)->pMethods->xSync(real_of(f), flags);
    if (code == SQLITE_OK && known != NULL) {
        synced(known);
        cut();
    }
    return code;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *size_bytes)
{
    const int code = fails(SIZE);
    return code != SQLITE_OK ? code : real_of(f)->pMethods->xFileSize(real_of(f), size_bytes);
}

static int file_lock(sqlite3_file *f, int level)
{
    const int code = fails(LOCK);
    return code != SQLITE_OK ? code : real_of(f)->pMethods->xLock(real_of(f), level);
}

static int file_unlock(sqlite3_file *f, int level)
{
    return real_of(f)->pMethods->xUnlock(real_of(f), level);
}

static int file_check_reserved(sqlite3_file *f, int *out)
{
    return real_of(f)->pMethods->xCheckReservedLock(real_of(f), out);
}

static int file_control(sqlite3_file *f, int what, void *argument)
{
    return real_of(f)->pMethods->xFileControl(real_of(f), what, argument);
}

static int file_sector(sqlite3_file *f)
{
    return real_of(f)->pMethods->xSectorSize(real_of(f));
}

static int file_device(sqlite3_file *f)
{
    return real_of(f)->pMethods->xDeviceCharacteristics(real_of(f));
}

static int file_shm_map(sqlite3_file *f, int region, int size_bytes, int extend,
                        void volatile **out)
{
    const int code = fails(SHM_MAP);
    return code != SQLITE_OK
               ? code
               : real_of(f)->pMethods->xShmMap(real_of(f), region, size_bytes, extend, out);
}

static int file_shm_lock(sqlite3_file *f, int offset, int count, int flags)
{
    const int code = (flags & SQLITE_SHM_LOCK) != 0 ? fails(SHM_LOCK) : SQLITE_OK;
    return code != SQLITE_OK ? code
                             : real_of(f)->pMethods->xShmLock(real_of(f), offset, count, flags);
}

static void file_shm_barrier(sqlite3_file *f)
{
    real_of(f)->pMethods->xShmBarrier(real_of(f));
}

static int file_shm_unmap(sqlite3_file *f, int remove)
{
    return real_of(f)->pMethods->xShmUnmap(real_of(f), remove);
}

// Version 2: without mapped files.
static const sqlite3_io_methods METHODS = {
    .iVersion = 2,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_unlock,
    .xCheckReservedLock = file_check_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_device,
    .xShmMap = file_shm_map,
    .xShmLock = file_shm_lock,
    .xShmBarrier = file_shm_barrier,
    .xShmUnmap = file_shm_unmap,
};

// ---- the file system ----

static int open_file(sqlite3_vfs *own, const char *name, sqlite3_file *out, int flags,
                     int *flags_out)
{
    file *f = (file *)out;
    (void)own;
    *f = (file){.real = (sqlite3_file *)(f + 1)};
    int code = fails(OPEN);
    if (code != SQLITE_OK) {
        return code;
    }
    (void)follow(name);
    code = below->xOpen(below, name, f->real, flags, flags_out);
    (void)snprintf(f->name, sizeof f->name, "%s", name != NULL ? name : "");
    f->base.pMethods = f->real->pMethods != NULL ? &METHODS : NULL;
    return code;
}

static int remove_file(sqlite3_vfs *own, const char *name, int sync_folder)
{
    (void)own;
    int code = fails(REMOVE);
    code = code != SQLITE_OK ? code : below->xDelete(below, name, sync_folder);
    followed *f = power.cutting ? NULL : find(name);
    if (code == SQLITE_OK && f != NULL) {
        f->there = f->there && sync_folder == 0;
        f->deleted = true;
        forget_changes(f);
    }
    return code;
}

static int access_file(sqlite3_vfs *own, const char *name, int flags, int *out)
{
    const int code = fails(ACCESS);
    (void)own;
    return code != SQLITE_OK ? code : below->xAccess(below, name, flags, out);
}

void vfs_register(void)
{
    static sqlite3_vfs own;
    below = sqlite3_vfs_find(NULL);
    own = *below;
    own.pNext = NULL;
    own.zName = "faults";
    own.szOsFile += (int)sizeof(file);
    own.xOpen = open_file;
    own.xDelete = remove_file;
    own.xAccess = access_file;
    if (sqlite3_vfs_register(&own, 1) != SQLITE_OK) {
        abort();
    }
}
