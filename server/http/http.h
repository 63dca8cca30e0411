// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// http.h: requests and replies as handlers see them, and the listeners. libmicrohttpd is known
// inside this room only (transaction.h).
//
// A request goes through: checks of its head, with routing_find --> body, buffered or fed to the
// route's stream --> route->handle, on the HTTP thread that read it; what takes long is suspended
// meanwhile --> reply.

#pragma once

#include "proto/settings/config.h"
#include "server/base/limits.h"
#include "server/base/service.h"

typedef enum http_method {
    HTTP_GET, // HEAD is GET whose body is not sent
    HTTP_POST,
    HTTP_PUT,
    HTTP_PATCH,
    HTTP_DELETE,
    HTTP_METHOD_COUNT,
} http_method;

#define HTTP_ID_BYTES 65        // 26 characters of our own, up to 64 of a client's, and a zero
#define HTTP_RECORDING_BYTES 27 // an id of our own

typedef struct route route;
typedef struct query query;
typedef struct request request;

typedef struct route_table {
    const route *rows;
    size_t count;
    // Adds the name that was probably meant to PROTO_MESH_NOT_FOUND.
    void (*suggest_mesh)(const request *r, nav_error *err);
} route_table;

// Strings are borrowed and live as long as the request.
struct request {
    service *service;
    const route *route;
    char mesh[LIMIT_MESH_NAME + 1];     // from the path; "" where the route has none
    uint32_t version;                   // from the path; 0 where the route has none
    char instance[LIMIT_MESH_NAME + 1]; // as mesh, likewise recording
    char recording[LIMIT_MESH_NAME + 1];
    size_t arg_count;
    // NULL where absent
    const char *content_type, *content_encoding, *if_match, *if_none_match, *accept,
        *requested_with;
    const char *body; // of BODY_JSON; zero-terminated
    size_t body_bytes;
    char id[HTTP_ID_BYTES];
    bool connected;          // request_suspend is possible: it did not come in process
    uint64_t elsewhere_ns;   // of its handler, on other threads
    uint64_t draw;           // what its random numbers are made of
    const char *record_name; // of a question that POST /v1/recordings asks; "": it has none, NULL:
                             // it is no such question
    void *stream;            // what route->open made, or a handler that waits, for route->close
    // For the slow-query log, set by handlers of queries; else 0.
    uint32_t query_version, nodes_expanded;
    // Last, since it is large: transaction.c clears all members before it for each request.
    proto_arg args[LIMIT_ARGS];
};

typedef enum stream_state {
    STREAM_GOES_ON,
    STREAM_ENDS,   // after what was read
    STREAM_BREAKS, // the connection is cut, so that the client sees that something is missing
} stream_state;

// The body of a reply that is sent piece by piece. Called on the HTTP thread.
typedef struct reply_stream {
    // Writes up to capacity bytes and returns their number; 0 with STREAM_GOES_ON: none are there
    // yet.
    size_t (*read)(request *r, char *out, size_t capacity, stream_state *state);
    // The request is suspended. True: request_resume will be called. False: bytes are there
    // already.
    bool (*await)(request *r);
} reply_stream;

// The policy of a picture: it draws, and runs and loads nothing, whatever names are in it.
#define HTTP_POLICY_PICTURE "default-src 'none'; style-src 'unsafe-inline'; sandbox"

// A handler's reply. It begins as 200 with JSON, which the handler writes into w, or has one of
// body, own and stream instead; nothing at all is an empty body.
typedef struct reply {
    int status;
    const char *content_type;
    proto_writer w;
    char *body; // malloc'ed, becomes the reply's
    size_t body_bytes;
    const char *own;     // instead of body: bytes of the program itself, body_bytes of them
    uint64_t held_bytes; // that the answer has of the budget for bodies in flight (service.h)
    const reply_stream *stream;              // instead of body, with static lifetime; else NULL
    char location[2 * LIMIT_MESH_NAME + 48]; // "": no such header, likewise below
    char etag[48];
    char file_name[LIMIT_MESH_NAME + NAV_NAME_MAX + 24]; // under which a browser saves the body
    char allow[40];
    const char *policy; // of what a browser shows: Content-Security-Policy; static lifetime
    char recording[HTTP_RECORDING_BYTES]; // that this answer was kept as
    uint32_t retry_after_s;
    bool negative;  // a question's answer says no: no path, nothing found, a deadline
    bool by_accept; // the answer depends on the request's Accept
    bool challenge; // 401: say which kind of token is wanted
    bool close;     // end the connection after this reply
    bool later;     // there is no reply yet: the handler has called request_suspend
} reply;

typedef enum body_kind {
    BODY_NONE,
    BODY_JSON,   // buffered whole, Content-Type application/json
    BODY_STREAM, // fed to the route as it arrives
} body_kind;

// Its error becomes the reply.
typedef nav_status route_handler(request *r, reply *out, nav_error *err);

struct route {
    http_method method;
    const char *pattern; // segments; {mesh}, {version}, {instance}, {recording} stand for any
    body_kind body;
    size_t body_limit;      // offset in service_limits; for BODY_NONE 0, and no body is taken
    uint32_t scopes;        // AUTH_ bits, one of them is enough; 0: for admin alone
    const char *media_type; // of BODY_JSON: one that is taken as well; NULL: none
    const char *answers;    // media type of its answers; NULL: JSON, or that of the body
    // The same where the arguments decide. NULL: they are wrong, or the handler calls
    // request_check_accept, since only what it finds decides.
    const char *(*answers_of)(const request *r);
    const query *query; // what handle_query answers
    // open and feed: BODY_STREAM only. open sees the headers and may refuse before the body is
    // read; feed's error becomes the reply, the rest of the body is then dropped; close frees
    // request->stream.
    nav_status (*open)(request *r, nav_error *err);
    nav_status (*feed)(request *r, const void *bytes, size_t size_bytes, nav_error *err);
    void (*close)(request *r);
    route_handler *handle;
    // The name may be new, so a wrong one is the request's fault.
    bool makes_mesh, makes_instance;
    bool always;         // answers even while live versions are still being loaded
    bool args;           // takes a query string: its handler reads it, or ignores it
    bool args_for_admin; // with a query string it is for admin alone
    bool watch;          // for monitors, which may send any Accept
};

// Calls the handler of the request's route, and finishes the reply.
void request_handle(request *r, reply *out);

// ---- for handlers ----

// The body from what was written; one that has failed becomes 503 out_of_memory, and a status
// other than NAV_OK the reply of that error. A handler that needs its reply whole calls it itself.
void reply_finish(const request *r, reply *out, nav_status status, const nav_error *err);
// The problem object of an error. Its status is proto_status_http(err->status).
void reply_error(const request *r, reply *out, const nav_error *err);
// Bytes that the program itself consists of, such as the console's files. They are sent
// from where they are, so that any number of clients takes no memory. Other members of out stay.
void reply_static(reply *out, const char *content_type, const void *bytes, size_t size_bytes);
// Counts the answer's body among bodies in flight, if it is large (service_hold_answer). A handler
// calls it before it does what cannot be undone: its reply is then sent in any case. Errors:
// PROTO_OVERLOADED.
nav_status reply_hold(const request *r, reply *out, nav_error *err);
// The same for a reply that reports something done: it cannot fail.
void reply_count(const request *r, reply *out);
// Whether Content-Type is this media type, parameters aside.
bool request_has_type(const request *r, const char *media_type);
// Suspends the request: its handler is called again, from the start, after request_resume. The
// handler then returns with reply->later. On the request's HTTP thread.
void request_suspend(request *r);
// Thread: any.
void request_resume(request *r);
// A pseudo-random number, the same for the same index. Thread: any.
uint32_t request_draw(const request *r, uint32_t index);
// A new id, of which no other process has made one either, in the order of time: a time and 80
// pseudo-random bits, as in ULID. Thread: any.
void request_name(char out[HTTP_ID_BYTES]);

// ---- between the files of this room ----

// Gives a request an id and what its random numbers are made of.
void request_begin(request *r);
// Takes over a client's X-Request-Id, if it is 1 to 64 letters, digits, '.', '_' and '-'.
void request_take_name(request *r, const char *value);

// From a method and a path to a row of the table: fills r->route, r->mesh, r->version and
// r->instance. Errors: PROTO_ROUTE_NOT_FOUND, PROTO_METHOD_NOT_ALLOWED (allow then lists the
// methods of the path), PROTO_MESH_NOT_FOUND, PROTO_INSTANCE_NOT_FOUND or NAV_INVALID_FIELD (a name
// that none can have), PROTO_VERSION_NOT_FOUND (not a number).
nav_status routing_find(const route_table *table, request *r, const char *method, const char *path,
                        char *allow, size_t allow_bytes, nav_error *err);

// "GET"
const char *routing_method_word(http_method method);
// The member "routes" of an object: [{"path":"/healthz","methods":["GET"]},...], in the order of
// the table.
void routing_write(const route_table *table, proto_writer *w);

// Whether a client takes an answer of this media type (RFC 9110, 12.5.1). accept: the value of the
// header; NULL: it is absent and anything is taken. The narrowest range that media_type lies in
// decides; q=0 says no.
bool accept_takes(const char *accept, const char *media_type);
// How much it asks for the media type, to be compared with that of another: 0 not at all, else by
// its q, and of the same q more the more closely it is named.
int accept_rank(const char *accept, const char *media_type);
// The same of a request's own header. Errors: PROTO_NOT_ACCEPTABLE.
nav_status request_check_accept(const request *r, const char *answer, nav_error *err);

// Whether the route takes a query string, if there is one. Errors: PROTO_UNKNOWN_FIELD.
nav_status request_check_arguments(const request *r, nav_error *err);
// The bounds of this daemon for JSON, in the body that was read or in an argument.
nav_status request_check_json(const request *r, nav_error *err);

// The end of a request, for log and counters.
typedef struct request_end {
    const char *method, *path; // as sent
    int status;
    uint64_t duration_ns; // since its headers
    uint64_t handled_ns;  // of that, in its handler, without what it waits for a bake
    uint64_t reply_bytes;
} request_end;

// Counts it, and writes the lines of --log-requests and --slow-query-ms. Once for each reply.
void request_ended(const request *r, const request_end *end);

// ---- for commands ----

// A question of this program's own. Arguments are as they are meant, without escapes; a body has a
// zero behind it; NULL: none.
typedef struct http_question {
    const char *method, *path;
    const proto_arg *args;
    size_t arg_count;
    const char *body;
    size_t body_bytes;
    const char *content_type; // NULL: JSON
    const char *record_name;  // as of a request
    const char *id;           // of the request; NULL: a new one
    uint64_t draw;            // likewise; counts where there is an id
} http_question;

// Answers it on this thread, as a listener would. out->body is the caller's, to be freed. Not for
// uploads, nor for events.
void http_ask_in_process(service *s, const http_question *asked, reply *out);

// ---- for main ----

typedef struct http http;

// Opens all listeners ("127.0.0.1:7650", "[::1]:0", "unix:/run/navmeshd.sock") and begins to
// answer. Addresses that others could reach are refused. Errors: NAV_INVALID_FIELD,
// PROTO_OVERLOADED (address in use and kin).
nav_status http_start(service *s, const char *const *listeners, size_t count, http **out,
                      nav_error *err);
// The i-th listener's address as it was got (port 0: the port that the system chose); NULL past the
// last. Thread: any, once started.
const char *http_address(const http *h, size_t i);
// "0.9.75"
const char *http_library_version(void);
// Closes the listeners; connections that are open go on.
void http_quiesce(http *h);
// Waits until no request is in flight, at most until then (clock_now_ns), and ends. NULL is
// harmless.
void http_stop(http *h, uint64_t deadline_ns);
