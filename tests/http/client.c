// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// client.c: asks the daemon for a test of tests/http, one question after the other over one
// connection (libcurl), in place of a process of curl for each. helper.bash has it as a coprocess
// of a test.
//
// A question is fields with a zero behind each: how many arguments, the folder that they are
// relative to, the folder that the reply goes to, the milliseconds it may take, the address and its
// path without the query, the arguments. These are curl's, as far as OPTIONS below has them; a file
// of -d keeps its line ends. Of the reply the body is in FOLDER/body and the headers are in
// FOLDER/headers; a line on standard output has the status, 000 where there is no reply, and
// whether the body has zeros in it. With REPLIES in the environment each reply is kept in that
// folder for tests/openapi.

#include <curl/curl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    ARGUMENTS_MAX = 256,
    FIELD_COUNT = 6
};

typedef struct question {
    CURL *curl;
    char *url;
    struct curl_slist *headers;
    curl_mime *form;
    char *data;
    size_t data_bytes;
    bool has_data, data_is_query;
    const char *method;
} question;

static void die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    (void)fprintf(stderr, "tests/http/client: ");
    (void)vfprintf(stderr, format, args);
    (void)fprintf(stderr, "\n");
    va_end(args);
    exit(1);
}

static void *or_die(void *memory)
{
    if (memory == NULL) {
        die("no memory, or no file");
    }
    return memory;
}

static char *read_file(const char *path, size_t *size_bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        die("cannot read %s", path);
    }
    char *bytes = NULL;
    size_t capacity = 0;
    *size_bytes = 0;
    do {
        capacity = 2 * capacity + 65536;
        bytes = or_die(realloc(bytes, capacity));
        *size_bytes += fread(bytes + *size_bytes, 1, capacity - *size_bytes, file);
    } while (*size_bytes == capacity);
    (void)fclose(file);
    return bytes;
}

// ---- options ----

static void append_data(question *q, const char *bytes, size_t size_bytes)
{
    const size_t before = q->has_data ? q->data_bytes + 1 : 0;
    q->data = or_die(realloc(q->data, before + size_bytes + 1));
    if (q->has_data) {
        q->data[before - 1] = '&';
    }
    memcpy(q->data + before, bytes, size_bytes);
    q->data_bytes = before + size_bytes;
    q->data[q->data_bytes] = '\0';
    q->has_data = true;
}

static void add_data(question *q, const char *value)
{
    if (value[0] == '@') {
        size_t size_bytes;
        char *bytes = read_file(value + 1, &size_bytes);
        append_data(q, bytes, size_bytes);
        free(bytes);
    } else {
        append_data(q, value, strlen(value));
    }
}

static void add_escaped(question *q, const char *value) // name=value
{
    const char *equals = strchr(value, '=');
    if (equals == NULL) {
        die("--data-urlencode takes name=value, not %s", value);
    }
    char *escaped = or_die(curl_easy_escape(q->curl, equals + 1, 0));
    const size_t name_bytes = (size_t)(equals + 1 - value),
                 size_bytes = name_bytes + strlen(escaped);
    char *pair = or_die(malloc(size_bytes + 1));
    (void)snprintf(pair, size_bytes + 1, "%.*s%s", (int)name_bytes, value, escaped);
    append_data(q, pair, size_bytes);
    free(pair);
    curl_free(escaped);
}

static void add_header(question *q, const char *value)
{
    q->headers = or_die(curl_slist_append(q->headers, value));
}

static void set_method(question *q, const char *value)
{
    q->method = value;
}

static char *unquoted(char *text)
{
    const size_t size_bytes = strlen(text);
    if (size_bytes >= 2 && text[0] == '"' && text[size_bytes - 1] == '"') {
        text[size_bytes - 1] = '\0';
        text++;
    }
    return text;
}

// Cuts `;type=`, `;filename=` or `;headers=` off a part's text, and returns its value or NULL.
static char *cut(char *text, const char *option)
{
    char *found = strstr(text, option);
    if (found == NULL) {
        return NULL;
    }
    *found = '\0';
    return unquoted(found + strlen(option));
}

// name=text, name=@file or name=<file, a file's bytes without its name; behind it, in this order,
// `;type=`, `;filename=` and `;headers=`.
static void add_part(question *q, const char *value)
{
    char *name = or_die(strdup(value));
    char *content = strchr(name, '=');
    if (content == NULL) {
        die("-F takes name=value, not %s", value);
    }
    *content++ = '\0';
    q->form = q->form != NULL ? q->form : or_die(curl_mime_init(q->curl));
    curl_mimepart *part = or_die(curl_mime_addpart(q->form));
    const char *header = cut(content, ";headers="), *file_name = cut(content, ";filename=");
    const char *type = cut(content, ";type=");
    curl_mime_name(part, name);
    if (content[0] != '@' && content[0] != '<') {
        curl_mime_data(part, content, CURL_ZERO_TERMINATED);
    } else if (curl_mime_filedata(part, unquoted(content + 1)) != CURLE_OK) {
        die("cannot read %s", content + 1);
    }
    if (file_name != NULL || content[0] == '<') {
        curl_mime_filename(part, file_name);
    }
    if (type != NULL) {
        curl_mime_type(part, type);
    }
    if (header != NULL) {
        curl_mime_headers(part, curl_slist_append(NULL, header), 1);
    }
    free(name);
}

static void set_seconds(question *q, const char *value)
{
    curl_easy_setopt(q->curl, CURLOPT_TIMEOUT_MS, (long)(1000.0 * strtod(value, NULL)));
}

static void set_query(question *q, const char *value)
{
    (void)value;
    q->data_is_query = true;
}

static void set_head(question *q, const char *value)
{
    (void)value;
    curl_easy_setopt(q->curl, CURLOPT_NOBODY, 1L);
}

static void set_path_as_is(question *q, const char *value)
{
    (void)value;
    curl_easy_setopt(q->curl, CURLOPT_PATH_AS_IS, 1L);
}

static void set_socket(question *q, const char *value)
{
    curl_easy_setopt(q->curl, CURLOPT_UNIX_SOCKET_PATH, value);
}

static const struct {
    const char *name;
    bool has_value;
    void (*apply)(question *q, const char *value);
} OPTIONS[] = {{"-X", true, set_method},
               {"-H", true, add_header},
               {"-d", true, add_data},
               {"--data-binary", true, add_data},
               {"--data-urlencode", true, add_escaped},
               {"-F", true, add_part},
               {"-G", false, set_query},
               {"--head", false, set_head},
               {"--max-time", true, set_seconds},
               {"--path-as-is", false, set_path_as_is},
               {"--unix-socket", true, set_socket}};

static void apply_arguments(question *q, char **arguments, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        size_t k = 0;
        while (k < sizeof OPTIONS / sizeof OPTIONS[0] &&
               strcmp(OPTIONS[k].name, arguments[i]) != 0) {
            k++;
        }
        if (k == sizeof OPTIONS / sizeof OPTIONS[0]) {
            die("%s is not among its options: call curl itself", arguments[i]);
        }
        if (OPTIONS[k].has_value && ++i == count) {
            die("%s takes a value", arguments[i - 1]);
        }
        OPTIONS[k].apply(q, arguments[i]);
    }
}

// ---- a question ----

static void set_body(question *q)
{
    if (q->data_is_query && q->has_data) {
        const size_t size_bytes = strlen(q->url) + q->data_bytes + 2;
        char *url = or_die(malloc(size_bytes));
        (void)snprintf(url, size_bytes, "%s%c%s", q->url, strchr(q->url, '?') != NULL ? '&' : '?',
                       q->data);
        curl_easy_setopt(q->curl, CURLOPT_URL, url);
        free(url);
    } else if (q->has_data) {
        curl_easy_setopt(q->curl, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)q->data_bytes);
        curl_easy_setopt(q->curl, CURLOPT_POSTFIELDS, q->data);
    } else if (q->form != NULL) {
        curl_easy_setopt(q->curl, CURLOPT_MIMEPOST, q->form);
    }
    if (q->method != NULL) {
        curl_easy_setopt(q->curl, CURLOPT_CUSTOMREQUEST, q->method);
    }
}

static FILE *create(const char *folder, const char *name)
{
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    if (file == NULL) {
        die("cannot write %s", path);
    }
    return file;
}

// For tests/openapi/validate.mjs: the body as a file, and a line for it in a list.
static void keep_reply(const question *q, long status, const char *path, const char *body,
                       size_t body_bytes)
{
    const char *folder = getenv("REPLIES"), *method = NULL, *type = NULL;
    char kept[4096], list[4096];
    if (folder == NULL || folder[0] == '\0' || status == 0) {
        return;
    }
    (void)snprintf(kept, sizeof kept, "%s/reply.XXXXXX", folder);
    const int descriptor = mkstemp(kept);
    FILE *file = or_die(descriptor < 0 ? NULL : fdopen(descriptor, "wb"));
    (void)fwrite(body, 1, body_bytes, file);
    (void)fclose(file);
    curl_easy_getinfo(q->curl, CURLINFO_EFFECTIVE_METHOD, &method);
    curl_easy_getinfo(q->curl, CURLINFO_CONTENT_TYPE, &type);
    (void)snprintf(list, sizeof list, "%s/list.%d", folder, (int)getpid());
    FILE *lines = or_die(fopen(list, "a"));
    (void)fprintf(lines, "%03ld\t%s\t%s\t%s\t%s\n", status, method, type != NULL ? type : "",
                  strrchr(kept, '/') + 1, path);
    (void)fclose(lines);
}

// fields: FIELD_COUNT of them, then the arguments.
static void ask(CURL *curl, char **fields, size_t argument_count)
{
    const char *folder = fields[2];
    question q = {.curl = curl, .url = fields[4]};
    char why[CURL_ERROR_SIZE] = "";
    if (chdir(fields[1]) != 0) {
        die("no folder %s", fields[1]);
    }
    FILE *headers = create(folder, "headers"), *body = create(folder, "body");
    curl_easy_reset(curl); // the connection stays
    curl_easy_setopt(curl, CURLOPT_URL, q.url);
    curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, strtol(fields[3], NULL, 10));
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, why);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, body);
    apply_arguments(&q, fields + FIELD_COUNT, argument_count);
    set_body(&q);
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, q.headers);

    const CURLcode code = curl_easy_perform(curl);
    (void)fclose(headers);
    (void)fclose(body);
    long status = 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    if (code != CURLE_OK) {
        (void)fprintf(stderr, "%s: %s\n", q.url, why[0] != '\0' ? why : curl_easy_strerror(code));
    }
    char path[4096];
    (void)snprintf(path, sizeof path, "%s/body", folder);
    size_t body_bytes;
    char *bytes = read_file(path, &body_bytes);
    keep_reply(&q, status, fields[5], bytes, body_bytes);
    (void)printf("%03ld %s\n", status, memchr(bytes, 0, body_bytes) != NULL ? "zeros" : "text");
    (void)fflush(stdout);

    free(bytes);
    free(q.data);
    curl_mime_free(q.form);
    curl_slist_free_all(q.headers);
}

int main(void)
{
    static char *fields[FIELD_COUNT + ARGUMENTS_MAX];
    static size_t capacities[FIELD_COUNT + ARGUMENTS_MAX];
    CURL *curl = or_die(curl_easy_init());
    size_t wanted = FIELD_COUNT, count = 0;
    while (getdelim(&fields[count], &capacities[count], '\0', stdin) > 0) {
        if (count == 0) {
            wanted = FIELD_COUNT + strtoul(fields[0], NULL, 10);
            if (wanted > FIELD_COUNT + ARGUMENTS_MAX) {
                die("%s arguments are too many", fields[0]);
            }
        }
        if (++count == wanted) {
            ask(curl, fields, count - FIELD_COUNT);
            wanted = FIELD_COUNT;
            count = 0;
        }
    }
    curl_easy_cleanup(curl);
    return 0;
}
