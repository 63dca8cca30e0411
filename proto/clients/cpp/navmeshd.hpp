// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// navmeshd.hpp: a client of navmeshd, which bakes navigation meshes and answers path questions. One
// header for C++17 over libcurl and nlohmann/json (on Debian: libcurl4-openssl-dev, nlohmann-json3-dev).
//
//   navmeshd::client daemon;                                  // http://127.0.0.1:7650, or "unix:/run/navmeshd.sock"
//   navmeshd::mesh town(daemon, "town");
//   town.upload(bytes, "model/obj");
//   navmeshd::json path = town.path({2, 0, 2}, {70, 0, 70});
//   for (const navmeshd::packed_path &p : town.paths_packed({{{2, 0, 2}, {70, 0, 70}}})) { ... }
//
// Answers are JSON as the daemon sends it; parameters have the API's names. A refusal is thrown as
// navmeshd::error, a connection that cannot be had as navmeshd::connection_error. What found the
// daemon busy or away is sent again, after the time that it names (Retry-After), else after a pause
// that doubles each time; also when the connection broke, so that it may have done what it is then
// asked for once more (README of clients).
//
// Threads: a client has one connection and belongs to one thread at a time. A game server has one for
// each thread that asks.

#pragma once

#include <curl/curl.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace navmeshd
{

using json = nlohmann::json;
using point = std::array<float, 3>;
// Hears of the progress of a bake, or of the changes of an instance: the event's name and data. False: it has heard enough.
using listener = std::function<bool(const std::string &name, const json &data)>;

// No daemon answers.
struct connection_error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The daemon has refused a request. code is a word that does not change from release to release.
struct error : std::runtime_error {
    error(long status_, json problem_)
        : std::runtime_error(problem_.value("code", "internal_error") + ": " + problem_.value("detail", "")),
          status(status_), code(problem_.value("code", "internal_error")), problem(std::move(problem_))
    {
    }
    long status;
    std::string code;
    json problem;
};

// A bake has failed, or was cancelled. version is what there is of it.
struct bake_error : error {
    explicit bake_error(json version_) : bake_error(version_, why(version_)) {}
    json version;

  private:
    bake_error(json version_, const json &why_) : error(why_["status"], why_), version(std::move(version_)) {}
    static json why(const json &version)
    {
        const json error = version.value("error", json());
        const std::string state = version.value("state", "");
        return error.is_object() ? error : json{{"status", 409}, {"code", state}, {"detail", "the bake is " + state}};
    }
};

enum class status : uint8_t { none, partial, complete };
enum class reason : uint8_t {
    null,
    start_off_mesh,
    end_off_mesh,
    unreachable,
    blocked,
    node_budget,
    deadline,
    max_cost,
    max_length
};
enum class kind : uint8_t { path, nearest, raycast, random, reachable, wall, floors, move };
// The axes that name a column, which are those that are level. The values are bits of the packed form.
enum class column : uint8_t { xz = 0, xy = 32, yz = 64 };
// In packed questions: a distance that is not given, for which the daemon has a default in metres.
constexpr float not_given = std::numeric_limits<float>::quiet_NaN();

struct packed_path {
    navmeshd::status status;
    navmeshd::reason reason;
    bool optimal;
    float length, cost, lower_bound;
    uint32_t nodes;
    std::vector<point> points;
};

// One query of a packed batch; what its kind does not have stays 0. filter, avoid, instance and agent are
// numbers of the batch's lists, from 1 on; 0: none.
struct packed_query {
    navmeshd::kind kind = kind::path;
    point start{};      // or point, or center; of floors the column
    point end{};        // or reachable_from
    uint16_t search = 0; // 0 auto, 1 fast, 2 exact
    uint16_t filter = 0, avoid = 0, instance = 0, agent = 0;
    uint32_t deadline_ms = 0, count = 0, max_nodes = 0, seed = 0;
    bool no_partial = false, above = false, below = false;
    bool has_second = false; // end is reachable_from; start of random is a center
    bool has_seed = false;
    navmeshd::column column = navmeshd::column::xz; // of floors
    point snap{not_given, not_given, not_given};
    float radius = 0; // goal_radius, max_radius (0: not given) or radius
    float max_cost = 0, max_length = 0;
    std::vector<point> points; // of reachable
};

struct place {
    point position;
    float distance;
    uint32_t polygon, component;
};

// One result. What its kind does not have is empty or 0.
struct packed_result {
    navmeshd::kind kind;
    uint8_t outcome; // of a path its status; else 0: only the reason is told, 1: there is an answer
    navmeshd::reason reason;
    uint8_t flags;
    uint32_t revision = 0; // of its instance; 0: none
    packed_path path{};
    std::vector<place> places; // nearest, floors, random
    uint32_t seed = 0;
    float t = 0, cost = 0, distance = 0;
    point position{}, normal{};
    uint32_t polygon = 0;
    std::vector<uint32_t> visited;
    std::vector<uint8_t> reachable;
    bool hit() const { return (flags & 1) != 0; }
};

struct settings {
    std::string token;       // what the daemon's token file has for this client
    int retries = 5;         // how often a request is sent again
    long pause_ms = 100;     // before the first time
    long timeout_ms = 60000; // that a reply may take
};

// Letters, digits and -._~ as they are, all else as %XX: a part of a path or of a query string.
inline std::string escape(const std::string &text)
{
    static const char hex[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) != 0 || (c != '\0' && std::strchr("-._~", c) != nullptr)) {
            out += c;
        } else {
            out += {'%', hex[byte >> 4], hex[byte & 15]};
        }
    }
    return out;
}

// Arguments as "?name=value&...": numbers in a list as "1,2,3", objects as JSON.
inline std::string query_string(const json &arguments)
{
    std::string out;
    for (const auto &[key, value] : arguments.items()) {
        std::string text = value.is_string() ? value.get<std::string>() : value.is_boolean() ? (value ? "1" : "0") : value.dump();
        if (value.is_array() && std::all_of(value.begin(), value.end(), [](const json &item) { return item.is_number(); })) {
            text = text.substr(1, text.size() - 2);
        }
        out += (out.empty() ? "?" : "&") + escape(key) + "=" + escape(text);
    }
    return out;
}

// A daemon.
class client
{
  public:
    explicit client(const std::string &url = "http://127.0.0.1:7650", navmeshd::settings s = {})
        : options(std::move(s)), curl_(curl_easy_init(), curl_easy_cleanup)
    {
        static const bool ready = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
        if (!ready || !curl_) {
            throw connection_error("libcurl does not start");
        }
        const bool is_unix = url.rfind("unix:", 0) == 0;
        if (!is_unix && url.rfind("http://", 0) != 0) {
            throw std::invalid_argument(url + " is neither http://HOST:PORT nor unix:PATH");
        }
        socket_ = is_unix ? url.substr(5) : "";
        base_ = is_unix ? "http://localhost" : url.substr(0, url.find_last_not_of('/') + 1);
    }

    json meshes() { return ask("GET", "/v1/meshes")["meshes"]; }
    json status() { return ask("GET", "/v1/status"); }

    // Sends JSON (null: no body), returns the reply's.
    json ask(const char *method, const std::string &path, const json &body = nullptr, const std::string &header = "")
    {
        std::vector<std::string> headers;
        if (!body.is_null()) {
            headers.push_back("Content-Type: application/json");
        }
        if (!header.empty()) {
            headers.push_back(header);
        }
        const std::string text = send(method, path, body.is_null() ? "" : body.dump(), headers);
        return text.empty() ? json::object() : json::parse(text);
    }

    // Sends bytes, returns the reply's. What found the daemon busy or away is sent again.
    std::string send(const char *method, const std::string &path, const std::string &body = "",
                     const std::vector<std::string> &headers = {})
    {
        for (int attempt = 0;; attempt++) {
            reply r;
            const CURLcode code = once(method, path, body, headers, &r);
            const bool again = attempt < options.retries;
            if (code != CURLE_OK) {
                if (!again) {
                    throw connection_error(std::string(curl_easy_strerror(code)) + ": " + base_ + socket_);
                }
                back_off(attempt, -1);
            } else if ((r.status == 429 || r.status == 503) && again) {
                back_off(attempt, r.retry_after);
            } else if (r.status >= 300 && r.status != 304) {
                throw error(r.status, problem_of(r.body));
            } else {
                return std::move(r.body);
            }
        }
    }

    // Server-sent events of a path, until the daemon ends the stream or the listener has heard enough. A daemon that has
    // nothing to tell says so every few seconds, so that timeout_ms is only for one that is away.
    void events(const std::string &path, const listener &hear)
    {
        reply r;
        r.hear = &hear;
        const CURLcode code = once("GET", path, "", {"Accept: text/event-stream"}, &r);
        if (r.status >= 300) {
            throw error(r.status, problem_of(r.body));
        }
        if (code != CURLE_OK && !r.heard_enough) {
            throw connection_error(curl_easy_strerror(code));
        }
    }

    const settings options;

  private:
    struct reply {
        std::string body; // of a stream of events what is not whole yet
        long status = 0;
        long retry_after = -1; // seconds
        const listener *hear = nullptr;
        bool heard_enough = false;
        CURL *curl = nullptr;
        std::exception_ptr failure; // thrown within a function that libcurl called
    };

    static size_t take_body(char *bytes, size_t one, size_t count, void *user)
    {
        reply &r = *static_cast<reply *>(user);
        try {
            r.body.append(bytes, one * count);
            curl_easy_getinfo(r.curl, CURLINFO_RESPONSE_CODE, &r.status);
            if (r.hear != nullptr && r.status < 400) {
                take_events(r);
            }
        } catch (...) {
            r.failure = std::current_exception();
        }
        return r.heard_enough || r.failure ? 0 : one * count;
    }

    static void take_events(reply &r)
    {
        for (size_t end; !r.heard_enough && (end = r.body.find("\n\n")) != std::string::npos;) {
            std::string name = "message", data;
            for (size_t at = 0; at < end;) {
                const size_t line_end = std::min(r.body.find('\n', at), end);
                const std::string line = r.body.substr(at, line_end - at);
                if (line.rfind("event: ", 0) == 0) {
                    name = line.substr(7);
                } else if (line.rfind("data: ", 0) == 0) {
                    data += line.substr(6);
                }
                at = line_end + 1;
            }
            r.body.erase(0, end + 2);
            r.heard_enough = !data.empty() && !(*r.hear)(name, json::parse(data));
        }
    }

    static size_t take_header(char *bytes, size_t one, size_t count, void *user)
    {
        static const char name[] = "retry-after:";
        const size_t size = one * count, name_size = sizeof name - 1;
        size_t at = 0;
        while (at < size && at < name_size && std::tolower(static_cast<unsigned char>(bytes[at])) == name[at]) {
            at++;
        }
        if (at == name_size) {
            while (at < size && bytes[at] == ' ') {
                at++;
            }
            long seconds = 0;
            const size_t first = at;
            for (; at < size && at - first < 9 && std::isdigit(static_cast<unsigned char>(bytes[at])) != 0; at++) {
                seconds = 10 * seconds + (bytes[at] - '0');
            }
            static_cast<reply *>(user)->retry_after = at > first ? seconds : -1; // a date is not counted
        }
        return one * count;
    }

    CURLcode once(const char *method, const std::string &path, const std::string &body,
                  const std::vector<std::string> &headers, reply *r)
    {
        CURL *curl = curl_.get();
        const std::string url = base_ + path;
        std::unique_ptr<curl_slist, decltype(&curl_slist_free_all)> list(nullptr, curl_slist_free_all);
        const auto add = [&list](const std::string &line) {
            list.reset(curl_slist_append(list.release(), line.c_str()));
        };
        for (const std::string &line : headers) {
            add(line);
        }
        add("Expect:");
        if (!options.token.empty()) {
            add("Authorization: Bearer " + options.token);
        }
        curl_easy_reset(curl); // keeps the connection
        r->curl = curl;
        curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
        curl_easy_setopt(curl, CURLOPT_CUSTOMREQUEST, method);
        curl_easy_setopt(curl, CURLOPT_HTTPHEADER, list.get());
        curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
        curl_easy_setopt(curl, CURLOPT_PROXY, "");
        if (r->hear != nullptr) {
            curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT_MS, options.timeout_ms);
            curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
            curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, std::max(1L, options.timeout_ms / 1000));
        } else {
            curl_easy_setopt(curl, CURLOPT_TIMEOUT_MS, options.timeout_ms);
        }
        curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, take_body);
        curl_easy_setopt(curl, CURLOPT_WRITEDATA, r);
        curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, take_header);
        curl_easy_setopt(curl, CURLOPT_HEADERDATA, r);
        if (!socket_.empty()) {
            curl_easy_setopt(curl, CURLOPT_UNIX_SOCKET_PATH, socket_.c_str());
        }
        if (!body.empty() || std::strcmp(method, "POST") == 0) {
            curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
            curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
        }
        const CURLcode code = curl_easy_perform(curl);
        if (r->failure) {
            std::rethrow_exception(r->failure);
        }
        curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &r->status);
        return code;
    }

    // Clients that were sent away together do not come back together.
    void back_off(int attempt, long retry_after)
    {
        std::uniform_real_distribution<double> part(0.5, 1.0);
        const double ms = retry_after >= 0 ? std::min(1000.0 * static_cast<double>(retry_after), static_cast<double>(options.timeout_ms))
                                           : std::ldexp(static_cast<double>(options.pause_ms), attempt) * part(random_);
        std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(ms));
    }

    static json problem_of(const std::string &body)
    {
        const json problem = json::parse(body, nullptr, false);
        return problem.is_object() ? problem : json{{"code", "internal_error"}, {"detail", body.substr(0, 200)}};
    }

    std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl_;
    std::string base_, socket_;
    std::minstd_rand random_{std::random_device{}()};
};

namespace detail
{

// Packed numbers are little-endian; so is every machine that this header is for.
template <typename T> void put(std::string &out, T value)
{
    out.append(reinterpret_cast<const char *>(&value), sizeof value);
}

inline void put_point(std::string &out, const point &p)
{
    for (const float number : p) {
        put(out, number);
    }
}

// Reads a packed answer; beyond its end it throws.
class reader
{
  public:
    explicit reader(const std::string &bytes, size_t at = 0) : bytes_(bytes), at_(at) {}
    template <typename T> T take()
    {
        T value;
        if (bytes_.size() < sizeof value || at_ > bytes_.size() - sizeof value) {
            throw std::runtime_error("a packed answer ends too early");
        }
        std::memcpy(&value, bytes_.data() + at_, sizeof value);
        at_ += sizeof value;
        return value;
    }
    point take_point()
    {
        const float x = take<float>(), y = take<float>(), z = take<float>();
        return {x, y, z};
    }
    // A list with its length before it, of which each entry has so many bytes.
    template <typename Take> void list(size_t entry_bytes, Take take_one)
    {
        const uint32_t count = take<uint32_t>();
        if ((bytes_.size() - at_) / entry_bytes < count) {
            throw std::runtime_error("a packed answer ends too early");
        }
        for (uint32_t i = 0; i < count; i++) {
            take_one();
        }
    }
    void expect(const char *magic)
    {
        if (bytes_.compare(0, 4, magic) != 0 || bytes_.size() < 24) {
            throw std::runtime_error("this is no packed answer that this client knows");
        }
        at_ = 4;
        if (take<uint32_t>() != 1) {
            throw std::runtime_error("this is no packed answer that this client knows");
        }
    }

  private:
    const std::string &bytes_;
    size_t at_;
};

inline std::vector<packed_path> read_paths(const std::string &bytes)
{
    reader head(bytes);
    head.expect("NAVP");
    head.take<uint32_t>(); // version
    const uint32_t count = head.take<uint32_t>();
    std::vector<packed_path> paths;
    for (uint32_t i = 0; i < count; i++) {
        reader r(bytes, 24 + size_t{28} * i);
        packed_path path{};
        path.status = r.take<status>();
        path.reason = r.take<reason>();
        path.optimal = r.take<uint16_t>() % 256 == 1;
        const uint32_t first = r.take<uint32_t>(), points = r.take<uint32_t>();
        path.length = r.take<float>();
        path.cost = r.take<float>();
        path.lower_bound = r.take<float>();
        path.nodes = r.take<uint32_t>();
        reader at(bytes, 24 + size_t{28} * count + size_t{12} * first);
        for (uint32_t k = 0; k < points; k++) {
            path.points.push_back(at.take_point());
        }
        paths.push_back(std::move(path));
    }
    return paths;
}

inline void put_query(std::string &out, const packed_query &q)
{
    const bool reachable = q.kind == kind::reachable;
    put(out, q.kind);
    put(out, static_cast<uint8_t>(q.no_partial | q.above << 1 | q.below << 2 | q.has_second << 3 | q.has_seed << 4 |
                                  static_cast<uint8_t>(q.column)));
    for (const uint16_t number : {q.search, q.filter, q.avoid, q.instance, q.agent}) {
        put(out, number);
    }
    put(out, q.deadline_ms);
    put(out, reachable ? static_cast<uint32_t>(q.points.size()) : q.count);
    put(out, q.has_seed ? q.seed : q.max_nodes);
    put_point(out, q.start);
    put_point(out, q.end);
    put_point(out, q.snap);
    put(out, q.kind == kind::wall && q.radius == 0 ? not_given : q.radius);
    put(out, q.max_cost);
    put(out, q.max_length);
}

inline void read_places(reader &r, packed_result &out)
{
    r.list(24, [&] {
        const point position = r.take_point();
        const float distance = r.take<float>();
        const uint32_t polygon = r.take<uint32_t>(), component = r.take<uint32_t>();
        out.places.push_back({position, distance, polygon, component});
    });
}

inline void read_answer(reader &r, packed_result &out)
{
    switch (out.kind) {
    case kind::path:
        out.path.status = static_cast<status>(out.outcome);
        out.path.reason = out.reason;
        out.path.optimal = out.hit();
        out.path.length = r.take<float>();
        out.path.cost = r.take<float>();
        out.path.lower_bound = r.take<float>();
        out.path.nodes = r.take<uint32_t>();
        r.list(12, [&] { out.path.points.push_back(r.take_point()); });
        break;
    case kind::random:
        out.seed = r.take<uint32_t>();
        read_places(r, out);
        break;
    case kind::nearest:
    case kind::floors:
        read_places(r, out);
        break;
    case kind::raycast:
        out.t = r.take<float>();
        r.take_point(); // the start, as snapped
        out.position = r.take_point();
        out.normal = r.take_point();
        out.cost = r.take<float>();
        out.polygon = r.take<uint32_t>();
        break;
    case kind::move:
        out.position = r.take_point();
        out.polygon = r.take<uint32_t>();
        r.list(4, [&] { out.visited.push_back(r.take<uint32_t>()); });
        break;
    case kind::reachable:
        r.list(1, [&] { out.reachable.push_back(r.take<uint8_t>()); });
        break;
    case kind::wall:
        out.distance = r.take<float>();
        out.position = r.take_point();
        out.normal = r.take_point();
        break;
    }
}

inline std::vector<packed_result> read_batch(const std::string &bytes)
{
    reader head(bytes);
    head.expect("NAVR");
    head.take<uint32_t>(); // version
    const uint32_t count = head.take<uint32_t>();
    reader offsets(bytes, 24);
    std::vector<packed_result> results;
    for (uint32_t i = 0; i < count; i++) {
        reader r(bytes, offsets.take<uint32_t>());
        packed_result one{};
        one.kind = r.take<kind>();
        one.outcome = r.take<uint8_t>();
        one.reason = r.take<reason>();
        one.flags = r.take<uint8_t>();
        one.revision = r.take<uint32_t>();
        if (one.kind == kind::path || one.outcome == 1) {
            read_answer(r, one);
        }
        results.push_back(std::move(one));
    }
    return results;
}

inline json given(json parameters, const json &options)
{
    parameters.update(options);
    return parameters;
}

// Of an answer that has nothing but a reason where a deadline came first.
inline json member(const json &answer, const char *name)
{
    if (!answer.contains(name)) {
        throw error(200, {{"code", "deadline"}, {"detail", "the deadline came before the answer"}});
    }
    return answer[name];
}

} // namespace detail

// State of a world at run time, laid over a mesh.
class instance
{
  public:
    instance(client &daemon, const std::string &mesh_name, std::string instance_name)
        : name(std::move(instance_name)), daemon_(daemon), mesh_path_("/v1/meshes/" + escape(mesh_name)),
          path_(mesh_path_ + "/instances/" + escape(name))
    {
    }
    // Creates or replaces it: switches, obstacles, links, area_costs, version, expires_in_s.
    json put(const json &state) { return daemon_.ask("PUT", path_, state); }
    // Changes what is named; null removes one by its id. revision: only if it still has that one; 0: whatever it has.
    json change(const json &changes, uint64_t revision = 0)
    {
        return daemon_.ask("PATCH", path_, changes, revision != 0 ? "If-Match: \"" + std::to_string(revision) + "\"" : "");
    }
    json get() { return daemon_.ask("GET", path_); }
    // Whether an earlier path still holds. options: revision, that it was found in, agent, filter.
    json valid(const json &points, const json &options = json::object())
    {
        return daemon_.ask("POST", path_ + "/valid", detail::given({{"points", points}}, options));
    }
    // Its changes as they come.
    void events(const listener &hear) { daemon_.events(path_ + "/events", hear); }
    // A path in this instance.
    json path(const point &start, const point &end, const json &options = json::object())
    {
        return daemon_.ask("POST", mesh_path_ + "/path", detail::given({{"start", start}, {"end", end}, {"instance", name}}, options));
    }
    void remove() { daemon_.send("DELETE", path_); }

    const std::string name;

  private:
    client &daemon_;
    std::string mesh_path_, path_;
};

// A mesh by name, which need not be there yet. options of a question: further parameters of the API, such as
// {{"filter", "cart"}, {"instance", "run-17"}}.
class mesh
{
  public:
    mesh(client &daemon, std::string mesh_name)
        : name(std::move(mesh_name)), daemon_(daemon), path_("/v1/meshes/" + escape(name))
    {
    }

    // ---- questions ----

    // Any question by its word.
    json ask(const std::string &word, const json &question) { return daemon_.ask("POST", path_ + "/" + word, question); }
    json path(const point &start, const point &end, const json &options = json::object())
    {
        return ask("path", detail::given({{"start", start}, {"end", end}}, options));
    }
    // Places, the nearest first.
    json nearest(const point &at, const json &options = json::object())
    {
        return detail::member(ask("nearest", detail::given({{"point", at}}, options)), "points");
    }
    // Every floor of a column, highest first: {{"x", 5}, {"z", 5}}, or x and y where the level has Z up.
    json floors(const json &column, const json &options = json::object())
    {
        return detail::member(ask("floors", detail::given(column, options)), "floors");
    }
    // Straight until a wall is in the way.
    json raycast(const point &start, const point &end, const json &options = json::object())
    {
        return ask("raycast", detail::given({{"start", start}, {"end", end}}, options));
    }
    // A step that slides along walls.
    json move(const point &start, const point &end, const json &options = json::object())
    {
        return ask("move", detail::given({{"start", start}, {"end", end}}, options));
    }
    // The nearest wall: max_radius.
    json wall(const point &at, const json &options = json::object())
    {
        return ask("wall", detail::given({{"point", at}}, options));
    }
    // Random places, spread evenly: count, seed, center, radius.
    json random(const json &options = json::object()) { return ask("random", options); }
    // The polygons that can be reached at a cost.
    json flood(const point &start, double max_cost, const json &options = json::object())
    {
        return ask("flood", detail::given({{"start", start}, {"max_cost", max_cost}}, options));
    }
    // Costs of the paths from each source to each target; nearest K: only the K cheapest.
    json matrix(const std::vector<point> &sources, const std::vector<point> &targets, const json &options = json::object())
    {
        return ask("matrix", detail::given({{"sources", sources}, {"targets", targets}}, options));
    }
    // Whether each of the points can be reached from start.
    json reachable(const point &start, const std::vector<point> &points, const json &options = json::object())
    {
        return detail::member(ask("reachable", detail::given({{"start", start}, {"points", points}}, options)), "reachable");
    }
    // Whether a movement log can have been walked: times_ms, max_speed.
    json trace(const std::vector<point> &positions, const json &options = json::object())
    {
        return ask("trace", detail::given({{"positions", positions}}, options));
    }
    // Many paths in one request, answered from one version, in their order. version 0: the live one.
    json paths(const json &queries, const json &defaults = json::object(), uint64_t version = 0)
    {
        const json more = version != 0 ? json{{"version", version}} : json::object();
        return ask("paths", detail::given({{"queries", queries}, {"defaults", defaults}}, more))["results"];
    }
    // Mixed questions in one request. lists: filters, avoid_sets, instances, agents, and version.
    json batch(const json &queries, const json &lists = json::object())
    {
        return ask("batch", detail::given({{"queries", queries}}, lists))["results"];
    }

    // ---- packed questions ----

    // Paths as bytes, for thousands a tick: start and end of each. defaults: what else is the same for all. version 0:
    // the live one.
    std::vector<packed_path> paths_packed(const std::vector<std::pair<point, point>> &ends,
                                          const json &defaults = json::object(), uint32_t version = 0)
    {
        const std::string extra = defaults.empty() ? "" : defaults.dump();
        std::string body = "NAVQ";
        for (const uint32_t number : {1u, static_cast<uint32_t>(ends.size()), version, 0u, 0u, 0u, 0u}) {
            detail::put(body, number);
        }
        detail::put_point(body, {not_given, not_given, not_given}); // snap
        body.append(48, '\0');              // filter: the default
        detail::put(body, static_cast<uint32_t>(extra.size()));
        for (const auto &[start, end] : ends) {
            detail::put_point(body, start);
            detail::put_point(body, end);
        }
        return detail::read_paths(packed("paths", body + extra));
    }
    // Mixed questions as bytes. lists: filters, avoid_sets, instances, agents.
    std::vector<packed_result> batch_packed(const std::vector<packed_query> &queries, const json &lists = json::object(),
                                            uint32_t version = 0)
    {
        const std::string extra = lists.empty() ? "" : lists.dump();
        std::string rows, points;
        for (const packed_query &q : queries) {
            detail::put_query(rows, q);
            for (const point &p : q.points) {
                detail::put_point(points, p);
            }
        }
        std::string body = "NAVB";
        for (const size_t number : {size_t{1}, queries.size(), size_t{version}, extra.size(), points.size() / 12, size_t{0}, size_t{0}}) {
            detail::put(body, static_cast<uint32_t>(number));
        }
        return detail::read_batch(packed("batch", body + rows + points + extra));
    }

    // ---- versions ----

    // Uploads a level and waits until it is baked. arguments: single settings, activate, reuse and the like; config: all
    // settings. Throws bake_error where the bake fails.
    json upload(const std::string &geometry, const std::string &content_type = "application/octet-stream",
                const json &arguments = json::object(), const listener &hear = nullptr, const json &config = nullptr)
    {
        std::string type = content_type, body = geometry;
        if (!config.is_null()) {
            body = form(geometry, config, type);
        }
        const std::string target = path_ + "/versions" + query_string(arguments);
        return wait(json::parse(daemon_.send("POST", target, body, {"Content-Type: " + type})), hear);
    }
    // Waits for the end of a bake, also where the listener has heard enough. A stream of events that breaks off, or that
    // there is no room for, is opened again.
    json wait(json version, const listener &hear = nullptr)
    {
        const std::string at = path_ + "/versions/" + std::to_string(version["version"].get<uint64_t>());
        bool more = static_cast<bool>(hear);
        while (version["state"] == "queued" || version["state"] == "baking") {
            listen(at, [&](const std::string &event, const json &data) { return more = more && hear(event, data), true; });
            version = daemon_.ask("GET", at);
            if (version["state"] == "queued" || version["state"] == "baking") {
                std::this_thread::sleep_for(std::chrono::milliseconds(daemon_.options.pause_ms));
            }
        }
        if (version["state"] != "ready") {
            throw bake_error(version);
        }
        return version;
    }
    // The mesh with its live version and all others.
    json info() { return daemon_.ask("GET", path_); }
    json versions() { return daemon_.ask("GET", path_ + "/versions")["versions"]; }
    json version(uint64_t number) { return daemon_.ask("GET", path_of(number)); }
    // Makes a version live, or rolls back to it. force: whatever the checks say.
    json activate(uint64_t number, bool force = false)
    {
        return daemon_.ask("PUT", path_ + "/active" + (force ? "?force=1" : ""), {{"version", number}});
    }
    // Tiles, walkable area and islands that changed: agent.
    json diff(uint64_t from, uint64_t to, const json &query = json::object())
    {
        return daemon_.ask("GET", path_ + "/versions/diff" + query_string(detail::given({{"from", from}, {"to", to}}, query)));
    }
    // What each new version must meet before it goes live.
    json checks() { return daemon_.ask("GET", path_ + "/checks")["checks"]; }
    void set_checks(const json &checks) { daemon_.ask("PUT", path_ + "/checks", {{"checks", checks}}); }
    // The triangles of a version, or its file of tiles, as they are stored.
    std::string geometry(uint64_t number) { return daemon_.send("GET", path_of(number) + "/geometry"); }
    // A version as a file: json, packed, obj, glb, mset or svg; bounds, agent.
    std::string export_as(uint64_t number, const std::string &format, const json &query = json::object())
    {
        return daemon_.send("GET", path_of(number) + "/export" + query_string(detail::given({{"format", format}}, query)));
    }
    // A version from above, as SVG: width, path, agent.
    std::string picture(uint64_t number, const json &query = json::object())
    {
        return daemon_.send("GET", path_of(number) + "/render.svg" + query_string(query));
    }
    // Deletes a version, or cancels its bake; 0: the whole mesh.
    void remove(uint64_t number = 0) { daemon_.send("DELETE", number == 0 ? path_ : path_of(number)); }

    // ---- instances ----

    // State at run time by name, which need not be there yet.
    navmeshd::instance instance(const std::string &instance_name) { return {daemon_, name, instance_name}; }
    // All instances of the mesh, page by page.
    json instances()
    {
        json all = json::array();
        for (json after = json::object(); !after.is_null();) {
            const json page = daemon_.ask("GET", path_ + "/instances" + query_string(after));
            all.insert(all.end(), page["instances"].begin(), page["instances"].end());
            after = page["next"].is_null() ? json() : json{{"after", page["next"]}};
        }
        return all;
    }

    const std::string name;

  private:
    std::string path_of(uint64_t number) const { return path_ + "/versions/" + std::to_string(number); }

    // Hears of a bake until the stream ends, breaks off, or the daemon has no room for it now.
    void listen(const std::string &at, const listener &hear)
    {
        try {
            daemon_.events(at + "/events", hear);
        } catch (const connection_error &) {
        } catch (const error &e) {
            if (e.status != 503) {
                throw;
            }
        }
    }

    std::string packed(const char *word, const std::string &body)
    {
        return daemon_.send("POST", path_ + "/" + word, body, {std::string("Content-Type: application/vnd.navmeshd.") + word});
    }

    // Geometry and settings in one body, of whose type is then told.
    static std::string form(const std::string &geometry, const json &config, std::string &type)
    {
        std::random_device random;
        const std::string boundary = "navmeshd-" + std::to_string(random()) + "-" + std::to_string(random());
        const auto head = [&](const std::string &part, const std::string &part_type) {
            return "--" + boundary + "\r\nContent-Disposition: form-data; name=\"" + part + "\"\r\nContent-Type: " + part_type +
                   "\r\n\r\n";
        };
        std::string body = head("geometry", type) + geometry + "\r\n" + head("config", "application/json") + config.dump();
        type = "multipart/form-data; boundary=" + boundary;
        return body + "\r\n--" + boundary + "--\r\n";
    }

    client &daemon_;
    std::string path_;
};

} // namespace navmeshd
