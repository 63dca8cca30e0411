// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// driver.c: what runs a target where libFuzzer is not linked: every seed as it is, then so many
// inputs that are made of them by chance. It sees no coverage, but needs nothing that gcc does not
// have, and the same seed gives the same inputs.
//
//   build/sanitize/fuzz_wire [-runs=N] [-seed=N] [-max_len=N] FILE|FOLDER ...

#include "tests/fuzz/mutate.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size_bytes);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size_bytes, size_t max_bytes,
                               unsigned int seed) __attribute__((weak));

#define SEEDS_MAX 1024u
#define INPUT_SECONDS_MAX 60u // an input that takes longer hangs

typedef struct input {
    uint8_t *bytes;
    size_t size_bytes;
} input;

// Of the sanitizers; called before they end the program.
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static input seeds[SEEDS_MAX];
static size_t seed_count;
static fuzz_random chance = {1};

static const uint8_t *current; // what the target is given
static size_t current_bytes;
static char kept[4096]; // where it goes if the program ends with it

// Leaves the input behind that the program ends with, as PROGRAM.crash beside the program, or where
// CRASH says: a test that fails already.
static void keep(void)
{
    const int fd = open(kept, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    const ssize_t written = fd >= 0 ? write(fd, current, current_bytes) : -1;
    const char *text = written < 0 ? "the input could not be kept\n" : "the input was kept\n";
    const ssize_t said = write(STDERR_FILENO, text, strlen(text));
    (void)said;
}

static void end(int number)
{
    keep();
    (void)signal(number, SIG_DFL);
    (void)raise(number);
}

static void keep_failures(const char *program)
{
    const char *path = getenv("CRASH");
    (void)snprintf(kept, sizeof kept, "%s%s", path != NULL ? path : program,
                   path != NULL ? "" : ".crash");
    (void)signal(SIGABRT, end);
    (void)signal(SIGALRM, end);
    if (__sanitizer_set_death_callback != NULL) {
        __sanitizer_set_death_callback(keep);
    }
}

static void run(const uint8_t *bytes, size_t size_bytes)
{
    // Of its own size, so that a sanitizer sees a step outside.
    uint8_t *copy = malloc(size_bytes > 0 ? size_bytes : 1);
    if (copy == NULL) {
        abort();
    }
    memcpy(copy, bytes, size_bytes);
    current = copy;
    current_bytes = size_bytes;
    (void)alarm(INPUT_SECONDS_MAX);
    (void)LLVMFuzzerTestOneInput(copy, size_bytes);
    (void)alarm(0);
    free(copy);
}

// ---- seeds ----

static int read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct stat info;
    if (file == NULL || fstat(fileno(file), &info) != 0 || seed_count == SEEDS_MAX) {
        (void)fprintf(stderr, "%s cannot be read, or there are too many\n", path);
        return 1;
    }
    input *seed = &seeds[seed_count++];
    seed->size_bytes = (size_t)info.st_size;
    seed->bytes = malloc(seed->size_bytes + 1);
    if (seed->bytes == NULL || fread(seed->bytes, 1, seed->size_bytes, file) != seed->size_bytes) {
        abort();
    }
    (void)fclose(file);
    return 0;
}

// In order of their names, so that every machine makes the same of them.
static int read_folder(const char *path)
{
    struct dirent **entries;
    const int count = scandir(path, &entries, NULL, alphasort);
    int failed = count < 0;
    for (int i = 0; i < count; i++) {
        char name[4096];
        if (entries[i]->d_name[0] != '.') {
            (void)snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
            failed |= read_file(name);
        }
        free(entries[i]);
    }
    if (count >= 0) {
        free(entries);
    }
    return failed;
}

static int read_seeds(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode) ? read_folder(path) : read_file(path);
}

// ---- mutation ----

// Bytes of a seed over or between those that are there.
static size_t graft(uint8_t *bytes, size_t size_bytes, size_t max_bytes, bool insert)
{
    if (seed_count == 0) {
        return size_bytes;
    }
    const input *other = &seeds[fuzz_below(&chance, seed_count)];
    const size_t from = fuzz_below(&chance, other->size_bytes + 1);
    size_t length = fuzz_below(&chance, other->size_bytes - from + 1);
    const size_t at = fuzz_below(&chance, size_bytes + 1);
    const size_t room = insert ? max_bytes - size_bytes : size_bytes - at;
    length = length < room ? length : room;
    if (insert) {
        memmove(bytes + at + length, bytes + at, size_bytes - at);
        size_bytes += length;
    }
    memcpy(bytes + at, other->bytes + from, length);
    return size_bytes;
}

static size_t drop(uint8_t *bytes, size_t size_bytes)
{
    const size_t at = fuzz_below(&chance, size_bytes);
    size_t length = 1 + fuzz_below(&chance, 16);
    length = length < size_bytes - at ? length : size_bytes - at;
    memmove(bytes + at, bytes + at + length, size_bytes - at - length);
    return size_bytes - length;
}

static size_t insert_byte(uint8_t *bytes, size_t size_bytes, size_t max_bytes)
{
    static const char marks[] = "{}[]\",:-+.eE0123456789 \t\r\n/\\;=&%*#\0\x7f\x80\xff";
    if (size_bytes == max_bytes) {
        return size_bytes;
    }
    const size_t at = fuzz_below(&chance, size_bytes + 1);
    memmove(bytes + at + 1, bytes + at, size_bytes - at);
    bytes[at] = (uint8_t)marks[fuzz_below(&chance, sizeof marks - 1)];
    return size_bytes + 1;
}

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size_bytes, size_t max_bytes)
{
    const size_t kind = fuzz_below(&chance, 6);
    if (kind == 0 || size_bytes == 0) {
        return insert_byte(bytes, size_bytes, max_bytes);
    }
    uint8_t *at = bytes + fuzz_below(&chance, size_bytes);
    switch (kind) {
    case 1:
        return graft(bytes, size_bytes, max_bytes, true);
    case 2:
        return graft(bytes, size_bytes, max_bytes, false);
    case 3:
        return drop(bytes, size_bytes);
    case 4:
        *at = (uint8_t)fuzz_next(&chance);
        return size_bytes;
    default:
        *at ^= (uint8_t)(1u << fuzz_below(&chance, 8));
        return size_bytes;
    }
}

static void run_mutants(size_t runs, size_t max_bytes)
{
    uint8_t *bytes = calloc(1, max_bytes + 1);
    if (bytes == NULL) {
        abort();
    }
    for (size_t i = 0; i < runs; i++) {
        const input none = {bytes, 0};
        const input *seed = seed_count > 0 ? &seeds[fuzz_below(&chance, seed_count)] : &none;
        size_t size_bytes = seed->size_bytes < max_bytes ? seed->size_bytes : max_bytes;
        memmove(bytes, seed->bytes, size_bytes);
        if (LLVMFuzzerCustomMutator != NULL) {
            size_bytes = LLVMFuzzerCustomMutator(bytes, size_bytes, max_bytes,
                                                 (unsigned int)fuzz_next(&chance));
        } else {
            for (size_t edits = 1 + fuzz_below(&chance, 6); edits > 0; edits--) {
                size_bytes = LLVMFuzzerMutate(bytes, size_bytes, max_bytes);
            }
        }
        run(bytes, size_bytes);
    }
    free(bytes);
}

int main(int argc, char **argv)
{
    size_t runs = 0, max_bytes = 4096;
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        if (strncmp(argv[i], "-runs=", 6) == 0) {
            runs = strtoull(argv[i] + 6, NULL, 10);
        } else if (strncmp(argv[i], "-seed=", 6) == 0) {
            chance.state = strtoull(argv[i] + 6, NULL, 10);
        } else if (strncmp(argv[i], "-max_len=", 9) == 0) {
            max_bytes = strtoull(argv[i] + 9, NULL, 10);
        } else {
            failed |= read_seeds(argv[i]);
        }
    }
    keep_failures(argv[0]);
    for (size_t i = 0; i < seed_count; i++) {
        run(seeds[i].bytes, seeds[i].size_bytes);
    }
    run_mutants(runs, max_bytes);
    (void)printf("%zu seeds, %zu inputs made of them\n", seed_count, runs);
    for (size_t i = 0; i < seed_count; i++) {
        free(seeds[i].bytes);
    }
    return failed | (seed_count + runs == 0);
}
