// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// test.cpp: the client against a real daemon, whose addresses are in NAVMESHD_URL and NAVMESHD_UNIX
// (tests/http/clients.bats starts one), and against a server of its own that is busy or breaks off.

#include "navmeshd.hpp"

#include <arpa/inet.h>
#include <cmath>
#include <cstdio>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using navmeshd::json;
using navmeshd::kind;
using navmeshd::point;

static int checks = 0;

static void expect(bool good, const char *what, int line)
{
    checks++;
    if (!good) {
        std::fprintf(stderr, "line %d: %s\n", line, what);
        std::exit(1);
    }
}
#define EXPECT(condition) expect((condition), #condition, __LINE__)

static bool near(double a, double b)
{
    return std::fabs(a - b) < 0.01;
}

// A floor, and a hole of so many by 4 m in it.
static std::string floor_of(int side)
{
    const std::string s = std::to_string(side);
    return "v 0 0 0\nv " + s + " 0 0\nv " + s + " 0 " + s + "\nv 0 0 " + s + "\nf 4 3 2 1\n";
}
static json box(float low_x, float high_x)
{
    return {{"shape", "box"}, {"min", {low_x, -1, 8}}, {"max", {high_x, 1, 12}}};
}

static void questions(const std::string &url)
{
    navmeshd::client daemon(url);
    navmeshd::mesh yard(daemon, "cpp");
    json hole = box(0, 14);
    hole["area"] = "none";
    yard.upload(floor_of(20), "model/obj", json::object(), nullptr, {{"volumes", {hole}}});
    const json path = yard.path({2, 0, 2}, {2, 0, 18});
    EXPECT(path["status"] == "complete" && path["optimal"] == true && path["length"] > 26);
    EXPECT(yard.path({2, 0, 2}, {90, 0, 90})["reason"] == "end_off_mesh");
    const json shut = {{"avoid", {{{"shape", "circle"}, {"center", {17, 0, 10}}, {"radius", 6}}}}};
    EXPECT(yard.path({2, 0, 2}, {2, 0, 18}, shut)["reason"] == "blocked");
    EXPECT(yard.nearest({5, 1, 5})[0]["position"][0] == 5);
    EXPECT(yard.raycast({2, 0, 2}, {2, 0, 18})["hit"] == true);
    EXPECT(yard.wall({10, 0, 5})["distance"] > 1);
    EXPECT(yard.move({2, 0, 2}, {3, 0, 3})["position"][0] == 3);
    EXPECT(yard.floors({{"x", 5}, {"z", 5}}).size() == 1);
    EXPECT(yard.random({{"count", 3}, {"seed", 7}})["points"].size() == 3);
    EXPECT(!yard.flood({2, 0, 2}, 50)["polygons"].empty());
    EXPECT(yard.matrix({{2, 0, 2}}, {{2, 0, 18}, {90, 0, 90}})["costs"][0][1].is_null());
    EXPECT(yard.reachable({2, 0, 2}, {{2, 0, 18}, {90, 0, 90}}) == json::array({true, false}));
    EXPECT(yard.trace({{2, 0, 2}, {2, 0, 18}},
                      {{"times_ms", {0, 100}}, {"max_speed", 2}})["legal"] == false);
    try {
        yard.path({2, 0, 2}, {2, 0, 18}, {{"search", "quick"}});
        EXPECT(false);
    } catch (const navmeshd::error &e) {
        EXPECT(e.status == 422 && e.code == "invalid_field" && e.problem["at"] == "search");
    }

    std::vector<std::pair<point, point>> ends;
    json queries = json::array();
    for (int x = 2; x < 100; x += 7) {
        ends.push_back({{2, 0, 2}, {static_cast<float>(x), 0, 18}});
        queries.push_back({{"start", ends.back().first}, {"end", ends.back().second}, {"id", x}});
    }
    const std::vector<navmeshd::packed_path> packed = yard.paths_packed(ends);
    const json plain = yard.paths(queries);
    EXPECT(packed.size() == ends.size() && plain.size() == ends.size());
    for (size_t i = 0; i < packed.size(); i++) {
        const bool complete = packed[i].status == navmeshd::status::complete;
        EXPECT(plain[i]["id"] == queries[i]["id"] &&
               complete == (plain[i]["status"] == "complete"));
        EXPECT(packed[i].points.size() == plain[i]["points"].size());
        EXPECT(near(packed[i].length, plain[i]["length"]) &&
               packed[i].optimal == plain[i]["optimal"]);
    }
}

static navmeshd::packed_query query(kind of, const point &start, const point &end = {})
{
    navmeshd::packed_query q;
    q.kind = of;
    q.start = start;
    q.end = end;
    return q;
}

// Over the Unix socket: the same questions as JSON and as bytes.
static void batches(const std::string &socket)
{
    navmeshd::client daemon("unix:" + socket);
    navmeshd::mesh yard(daemon, "cpp");
    std::vector<navmeshd::packed_query> queries = {
        query(kind::path, {2, 0, 2}, {2, 0, 18}),
        query(kind::path, {2, 0, 2}, {90, 0, 90}),
        query(kind::nearest, {5, 0, 5}),
        query(kind::raycast, {2, 0, 2}, {2, 0, 18}),
        query(kind::random, {}),
        query(kind::reachable, {2, 0, 2}),
        query(kind::wall, {10, 0, 5}),
        query(kind::floors, {5, 0, 5}),
        query(kind::move, {2, 0, 2}, {3, 0, 3}),
    };
    queries[0].filter = 1;
    queries[2].count = 2;
    queries[4].count = 3;
    queries[4].seed = 7;
    queries[4].has_seed = true;
    queries[5].points = {{2, 0, 18}, {90, 0, 90}};
    const json lists = {{"filters", {{{"costs", {{"ground", 2}}}}}}};
    const std::vector<navmeshd::packed_result> packed = yard.batch_packed(queries, lists);
    const json plain = yard.batch(json::parse(R"([
        {"kind":"path","start":[2,0,2],"end":[2,0,18],"filter":0}, {"kind":"path","start":[2,0,2],"end":[90,0,90]},
        {"kind":"nearest","point":[5,0,5],"count":2}, {"kind":"raycast","start":[2,0,2],"end":[2,0,18]},
        {"kind":"random","count":3,"seed":7}, {"kind":"reachable","start":[2,0,2],"points":[[2,0,18],[90,0,90]]},
        {"kind":"wall","point":[10,0,5]}, {"kind":"floors","x":5,"z":5}, {"kind":"move","start":[2,0,2],"end":[3,0,3]}])"),
                                  lists);
    EXPECT(packed.size() == 9 && plain.size() == 9);
    EXPECT(packed[0].path.status == navmeshd::status::complete &&
           near(packed[0].path.cost, plain[0]["cost"]));
    EXPECT(packed[0].path.points.size() == plain[0]["points"].size());
    EXPECT(packed[1].reason == navmeshd::reason::end_off_mesh && packed[1].path.points.empty());
    EXPECT(packed[2].places.size() == plain[2]["points"].size());
    EXPECT(packed[3].hit() && near(packed[3].t, plain[3]["t"]));
    EXPECT(packed[4].places.size() == 3 && packed[4].seed == 7);
    EXPECT((packed[5].reachable == std::vector<uint8_t>{1, 0}));
    EXPECT(near(packed[6].distance, plain[6]["distance"]));
    EXPECT(near(packed[7].places.at(0).position[1], plain[7]["floors"][0]["height"]));
    EXPECT(near(packed[8].position[0], 3) && !packed[8].visited.empty());
}

// Distances that are not given are as many metres, whatever the unit is; columns of any axes.
static void units(const std::string &url)
{
    navmeshd::client daemon(url);
    navmeshd::mesh small(daemon, "cpp-centimetres");
    small.upload(floor_of(2000), "model/obj", {{"scale", 0.01}});
    const point start = {-90, 100, 200},
                end = {1800, 0, 1800}; // 1.5 m beside the ground, and 1 m above it
    const json plain = small.path(start, end);
    EXPECT(plain["status"] == "complete");
    EXPECT(small.paths_packed({{start, end}})[0].status == navmeshd::status::complete);
    EXPECT(small.paths_packed({{start, end}}, {{"snap", {{"up", 3}, {"down", 3}}}})[0].reason ==
           navmeshd::reason::start_off_mesh);
    const auto packed =
        small.batch_packed({query(kind::path, start, end), query(kind::wall, {1000, 0, 1000})});
    EXPECT(std::fabs(packed[0].path.cost - plain["cost"].get<double>()) < 0.1);
    EXPECT(std::fabs(packed[1].distance - small.wall({1000, 0, 1000})["distance"].get<double>()) <
           0.1);

    navmeshd::mesh tilted(daemon, "cpp-x-up");
    tilted.upload("v 0 0 0\nv 0 20 0\nv 0 20 20\nv 0 0 20\nf 1 2 3 4\n", "model/obj",
                  json::object(), nullptr, {{"coordinates", {{"axes", {"y", "x", "-z"}}}}});
    EXPECT(tilted.floors({{"y", 5}, {"z", 5}}).size() == 1);
    navmeshd::packed_query column = query(kind::floors, {0, 5, 5});
    column.column = navmeshd::column::yz;
    EXPECT(tilted.batch_packed({column})[0].places.size() == 1);
}

// What a listener throws is thrown; one that has heard enough hears no more.
static void listeners(const std::string &url)
{
    navmeshd::client daemon(url);
    navmeshd::mesh loud(daemon, "cpp-loud");
    try {
        loud.upload(
            floor_of(400), "model/obj", {{"tile_cells", 64}},
            [](const std::string &, const json &) -> bool { throw std::out_of_range("heard"); });
        EXPECT(false);
    } catch (const std::out_of_range &) {
        EXPECT(daemon.status()["state"] == "ready"); // the connection goes on
    }
    int heard = 0;
    const auto once = [&](const std::string &, const json &) { return ++heard > 1; };
    EXPECT(loud.upload(floor_of(500), "model/obj", {{"tile_cells", 64}}, once)["state"] ==
               "ready" &&
           heard == 1);
}

static void versions(const std::string &url)
{
    navmeshd::client daemon(url);
    navmeshd::mesh lives(daemon, "cpp-versions");
    std::string last;
    bool progressed = false;
    const auto hear = [&](const std::string &name, const json &data) {
        progressed = progressed || data.contains("progress");
        last = name;
        return true;
    };
    const json first = lives.upload(floor_of(400), "model/obj", {{"tile_cells", 64}}, hear);
    EXPECT(progressed && last == "ready" && first["state"] == "ready");
    const json second = lives.upload(floor_of(20), "model/obj");
    EXPECT(lives.activate(first["version"])["previous"] == second["version"]);
    EXPECT(lives.info()["active"] == first["version"]);
    EXPECT(lives.version(first["version"])["state"] == "ready");
    EXPECT(lives.diff(first["version"], second["version"]).contains("tiles"));
    EXPECT(lives.geometry(second["version"]).rfind("NAVG", 0) == 0);
    EXPECT(lives.picture(second["version"], {{"width", 300}}).find("<svg") != std::string::npos);
    EXPECT(lives.export_as(second["version"], "obj", {{"bounds", {0, -1, 0, 20, 1, 20}}})
               .find("\nf ") != std::string::npos);
    lives.set_checks(
        {{{"name", "way"}, {"start", {2, 0, 2}}, {"end", {18, 0, 18}}, {"expect", "reachable"}}});
    EXPECT(lives.checks()[0]["name"] == "way");
    lives.remove(second["version"]);
    EXPECT(lives.versions().size() == 1);
    try {
        lives.upload("v 0 0 0\nv 20 0 0\nv 20 90 20\nf 3 2 1\n", "model/obj");
        EXPECT(false);
    } catch (const navmeshd::bake_error &e) {
        EXPECT(e.code == "mesh_empty" && e.version["state"] == "failed");
    }
    lives.remove();
    for (const json &mesh : daemon.meshes()) {
        EXPECT(mesh["mesh"] != "cpp-versions");
    }
}

static void instances(const std::string &url)
{
    navmeshd::client daemon(url);
    navmeshd::mesh worlds(daemon, "cpp-worlds");
    worlds.upload(floor_of(20), "model/obj", json::object(), nullptr,
                  {{"switches", {{"gate", {{"shapes", {box(-1, 21)}}}}}}});
    navmeshd::instance run = worlds.instance("run-17");
    const json created = run.put({{"switches", {{"gate", "closed"}}}});
    const json in_run = {{"instance", "run-17"}};
    EXPECT(worlds.path({2, 0, 2}, {2, 0, 18}, in_run)["blocked_by"] == json::array({"gate"}));
    const json changed = run.change({{"switches", {{"gate", "open"}}}}, created["revision"]);
    const json path = worlds.path({2, 0, 2}, {2, 0, 18}, in_run);
    EXPECT(path["status"] == "complete" && run.valid(path["points"])["valid"] == true);
    EXPECT(run.path({2, 0, 2}, {2, 0, 18})["instance"] == "run-17");
    EXPECT(run.valid(path["points"], {{"revision", changed["revision"]}})["changed"] == false);
    EXPECT(worlds.instances().size() == 1 && worlds.instances()[0]["instance"] == "run-17");
    EXPECT(worlds.paths_packed({{{2, 0, 2}, {2, 0, 18}}}, in_run)[0].status ==
           navmeshd::status::complete);
    try {
        run.change({{"switches", {{"gate", "closed"}}}}, created["revision"]);
        EXPECT(false);
    } catch (const navmeshd::error &e) {
        EXPECT(e.status == 412 && e.code == "stale_etag");
    }
    json heard;
    run.events([&](const std::string &, const json &data) {
        heard = data;
        return false;
    });
    EXPECT(heard["revision"] == changed["revision"]);
    run.remove();
}

// A server that answers as told, a connection each: a whole reply, or nothing.
static std::string busy(std::vector<std::string> replies, std::thread &thread)
{
    const int listener = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    EXPECT(bind(listener, reinterpret_cast<sockaddr *>(&address), size) == 0 &&
           listen(listener, 8) == 0);
    EXPECT(getsockname(listener, reinterpret_cast<sockaddr *>(&address), &size) == 0);
    thread = std::thread([listener, replies = std::move(replies)] {
        for (const std::string &reply : replies) {
            const int fd = accept(listener, nullptr, nullptr);
            char bytes[4096];
            const ssize_t got = recv(fd, bytes, sizeof bytes, 0);
            if (got > 0 && !reply.empty()) {
                send(fd, reply.data(), reply.size(), MSG_NOSIGNAL);
            }
            close(fd);
        }
        close(listener);
    });
    return "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
}

static std::string
reply(const std::string &status, const std::string &header = "",
      const std::string &body = R"({"code":"overloaded","detail":"busy","meshes":[]})")
{
    return "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + header +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

static void retries()
{
    std::thread thread;
    navmeshd::settings quick;
    quick.pause_ms = 5;
    const auto begin = std::chrono::steady_clock::now();
    navmeshd::client waits(
        busy({reply("503 No", "Retry-After: 1\r\n"), "", reply("429 No"), reply("200 OK")}, thread),
        quick);
    EXPECT(waits.meshes().empty());
    EXPECT(std::chrono::steady_clock::now() - begin >= std::chrono::seconds(1));
    thread.join();
    // No longer than a reply may take.
    quick.timeout_ms = 500;
    navmeshd::client hurries(
        busy({reply("503 No", "Retry-After: 99999999\r\n"), reply("200 OK")}, thread), quick);
    EXPECT(hurries.meshes().empty());
    thread.join();
    quick.timeout_ms = 60000;
    quick.retries = 1;
    navmeshd::client ends(busy({reply("503 No"), reply("503 No"), reply("422 No"),
                                reply("302 Found", "Location: http://127.0.0.1:1/\r\n")},
                               thread),
                          quick);
    for (const long status : {503, 422, 302}) {
        try {
            ends.meshes();
            EXPECT(false);
        } catch (const navmeshd::error &e) {
            EXPECT(e.status == status);
        }
    }
    thread.join();
    try {
        ends.meshes();
        EXPECT(false);
    } catch (const navmeshd::connection_error &) {
        EXPECT(true);
    }
}

// A stream that there is no room for is opened again; a deadline that comes first is thrown.
static void waits()
{
    std::thread thread;
    navmeshd::settings quick;
    quick.pause_ms = 5;
    const std::string baking = R"({"mesh":"a","version":1,"state":"baking"})",
                      ready = R"({"mesh":"a","version":1,"state":"ready"})";
    navmeshd::client daemon(
        busy({reply("503 No"), reply("200 OK", "", baking), reply("503 No"),
              reply("200 OK", "", ready),
              reply("200 OK", "", R"({"mesh":"a","version":1,"reason":"deadline"})")},
             thread),
        quick);
    navmeshd::mesh a(daemon, "a");
    EXPECT(a.wait(json::parse(baking))["state"] == "ready");
    try {
        a.nearest({1, 0, 1}, {{"deadline_ms", 1}});
        EXPECT(false);
    } catch (const navmeshd::error &e) {
        EXPECT(e.code == "deadline");
    }
    thread.join();
}

int main()
{
    const std::string url = std::getenv("NAVMESHD_URL"), socket = std::getenv("NAVMESHD_UNIX");
    questions(url);
    batches(socket);
    units(url);
    listeners(url);
    versions(url);
    instances(url);
    retries();
    waits();
    std::printf("%d checks\n", checks);
    return 0;
}
