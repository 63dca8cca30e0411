// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Test.cs: the client against a real daemon, whose address is in NAVMESHD_URL (tests/http/clients.bats
// starts one), and against a server of its own that is busy or breaks off.

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading.Tasks;
using Navmeshd;

internal static class Test
{
    private static int checks;

    private static void Expect(bool good, [CallerLineNumber] int line = 0)
    {
        checks++;
        if (!good)
        {
            Console.Error.WriteLine("line " + line + " of Test.cs");
            Environment.Exit(1);
        }
    }

    private static bool Near(double a, double b)
    {
        return Math.Abs(a - b) < 0.01;
    }

    private static async Task<T> Throws<T>(Task task) where T : Exception
    {
        try
        {
            await task;
        }
        catch (T error)
        {
            return error;
        }
        Expect(false);
        return null;
    }

    private static Point P(float x, float z)
    {
        return new Point(x, 0, z);
    }

    // A floor of so many metres a side.
    private static byte[] Floor(int side)
    {
        return Encoding.ASCII.GetBytes(string.Format("v 0 0 0\nv {0} 0 0\nv {0} 0 {0}\nv 0 0 {0}\nf 4 3 2 1\n", side));
    }

    private static Parameters Box(float lowX, float highX)
    {
        return new Parameters { ["shape"] = "box", ["min"] = new Point(lowX, -1, 8), ["max"] = new Point(highX, 1, 12) };
    }

    private static async Task Questions(Client daemon)
    {
        Mesh yard = daemon.Mesh("csharp");
        Parameters hole = Box(0, 14).With(new Parameters { ["area"] = "none" });
        await yard.UploadAsync(Floor(20), "model/obj", null, new Parameters { ["volumes"] = new[] { hole } });
        Json path = await yard.PathAsync(P(2, 2), P(2, 18));
        Expect(path["status"].Text == "complete" && path["optimal"].IsTrue && path["length"].Number > 26);
        Expect(path["reason"].IsNull && path["points"].Count > 2 && Near(path["points"][0].Point.X, 2));
        Expect((await yard.PathAsync(P(2, 2), P(90, 90)))["reason"].Text == "end_off_mesh");
        var circle = new Parameters { ["shape"] = "circle", ["center"] = P(17, 10), ["radius"] = 6 };
        Json shut = await yard.PathAsync(P(2, 2), P(2, 18), new Parameters { ["avoid"] = new[] { circle } });
        Expect(shut["status"].Text == "partial" && shut["reason"].Text == "blocked");
        shut = await yard.PathAsync(P(2, 2), P(2, 18), new Parameters { ["avoid"] = Json.Of(new[] { circle }) });
        Expect(shut["status"].Text == "partial" && shut["reason"].Text == "blocked");
        Expect(path["points"][0].ToString() == "[2,0.2,2]" && path["points"][0].Point.ToString() == "[2,0.2,2]");
        Expect(Json.Parse(Encoding.UTF8.GetBytes(path.ToString()))["length"].Number == path["length"].Number);
        Expect(Near((await yard.NearestAsync(new Point(5, 1, 5)))[0]["position"].Point.X, 5));
        Expect((await yard.RaycastAsync(P(2, 2), P(2, 18)))["hit"].IsTrue);
        Expect(Near((await yard.MoveAsync(P(2, 2), P(3, 3)))["position"].Point.X, 3));
        Expect((await yard.FloorsAsync(new Parameters { ["x"] = 5, ["z"] = 5 })).Count == 1);
        Expect((await yard.WallAsync(P(10, 5)))["distance"].Number > 1);
        Expect((await yard.RandomAsync(new Parameters { ["count"] = 3, ["seed"] = 7 }))["points"].Count == 3);
        Expect((await yard.FloodAsync(P(2, 2), 50))["polygons"].Count > 0);
        Point[] ends = { P(2, 18), P(90, 90) };
        Expect((await yard.MatrixAsync(new[] { P(2, 2) }, ends))["costs"][0][1].IsNull);
        Expect((await yard.ReachableAsync(P(2, 2), ends)).Select(one => one.IsTrue).SequenceEqual(new[] { true, false }));
        var times = new Parameters { ["times_ms"] = new[] { 0, 100 }, ["max_speed"] = 2 };
        Expect(!(await yard.TraceAsync(new[] { P(2, 2), P(2, 18) }, times))["legal"].IsTrue);
        var error = await Throws<NavmeshdException>(yard.PathAsync(P(2, 2), P(2, 18), new Parameters { ["search"] = "qu\"ick\n" }));
        Expect(error.Status == 422 && error.Code == "invalid_field" && error.Problem["at"].Text == "search");
    }

    private static async Task PackedPaths(Client daemon)
    {
        Mesh yard = daemon.Mesh("csharp");
        var ends = new List<Point>();
        var queries = new List<Parameters>();
        for (int x = 2; x < 100; x += 7)
        {
            ends.Add(P(2, 2));
            ends.Add(P(x, 18));
            queries.Add(new Parameters { ["start"] = P(2, 2), ["end"] = P(x, 18), ["id"] = x });
        }
        PackedPath[] packed = await yard.PathsPackedAsync(ends);
        Json plain = await yard.PathsAsync(queries);
        Expect(packed.Length == queries.Count && plain.Count == queries.Count);
        for (int i = 0; i < packed.Length; i++)
        {
            Expect(plain[i]["id"].Number == 2 + 7 * i);
            Expect(packed[i].Status.ToString().ToLowerInvariant() == plain[i]["status"].Text);
            Expect(packed[i].Points.Length == plain[i]["points"].Count && Near(packed[i].Length, plain[i]["length"].Number));
            Expect(packed[i].Points.Length == 0 || Near(packed[i].Points.Last().X, plain[i]["end"].Point.X));
        }
    }

    private static async Task PackedBatch(Client daemon)
    {
        Mesh yard = daemon.Mesh("csharp");
        var lists = new Parameters { ["filters"] = new[] { new Parameters { ["costs"] = new Parameters { ["ground"] = 2 } } } };
        PackedResult[] packed = await yard.BatchPackedAsync(new[]
        {
            new PackedQuery { Kind = Kind.Path, Start = P(2, 2), End = P(2, 18), Filter = 1 },
            new PackedQuery { Kind = Kind.Path, Start = P(2, 2), End = P(90, 90) },
            new PackedQuery { Kind = Kind.Nearest, Start = P(5, 5), Count = 2 },
            new PackedQuery { Kind = Kind.Raycast, Start = P(2, 2), End = P(2, 18) },
            new PackedQuery { Kind = Kind.Random, Count = 3, Seed = 7 },
            new PackedQuery { Kind = Kind.Reachable, Start = P(2, 2), Points = new[] { P(2, 18), P(90, 90) } },
            new PackedQuery { Kind = Kind.Wall, Start = P(10, 5) },
            new PackedQuery { Kind = Kind.Floors, Start = P(5, 5) },
            new PackedQuery { Kind = Kind.Move, Start = P(2, 2), End = P(3, 3) },
        }, lists);
        Json plain = await yard.BatchAsync(new[]
        {
            new Parameters { ["kind"] = "path", ["start"] = P(2, 2), ["end"] = P(2, 18), ["filter"] = 0 },
            new Parameters { ["kind"] = "raycast", ["start"] = P(2, 2), ["end"] = P(2, 18) },
            new Parameters { ["kind"] = "wall", ["point"] = P(10, 5) },
        }, lists);
        Expect(packed.Length == 9 && plain.Count == 3);
        Expect(packed[0].Path.Status == PathStatus.Complete && Near(packed[0].Path.Cost, plain[0]["cost"].Number));
        Expect(packed[0].Path.Points.Length == plain[0]["points"].Count);
        Expect(packed[1].Reason == Reason.EndOffMesh && packed[1].Path.Points.Length == 0);
        Expect(packed[2].Places.Length >= 1 && Near(packed[2].Places[0].Position.X, 5));
        Expect(packed[3].Hit && Near(packed[3].T, plain[1]["t"].Number));
        Expect(packed[4].Places.Length == 3 && packed[4].Seed == 7);
        Expect(packed[5].Reachable.SequenceEqual(new[] { true, false }));
        Expect(Near(packed[6].Distance, plain[2]["distance"].Number));
        Expect(packed[7].Places.Length == 1 && packed[8].Visited.Length > 0 && Near(packed[8].Position.X, 3));
    }

    // Distances that are not given are as many metres, whatever the unit is; columns of any axes.
    private static async Task Units(Client daemon)
    {
        Mesh small = daemon.Mesh("csharp-centimetres");
        await small.UploadAsync(Floor(2000), "model/obj", new Parameters { ["scale"] = 0.01 });
        var ends = new[] { new Point(-90, 100, 200), P(1800, 1800) }; // 1.5 m beside the ground, and 1 m above it
        Json plain = await small.PathAsync(ends[0], ends[1]);
        Expect(plain["status"].Text == "complete");
        Expect((await small.PathsPackedAsync(ends))[0].Status == PathStatus.Complete);
        var near = new Parameters { ["snap"] = new Parameters { ["up"] = 3, ["down"] = 3 } };
        Expect((await small.PathsPackedAsync(ends, near))[0].Reason == Reason.StartOffMesh);
        PackedResult[] packed = await small.BatchPackedAsync(new[]
        {
            new PackedQuery { Kind = Kind.Path, Start = ends[0], End = ends[1] },
            new PackedQuery { Kind = Kind.Wall, Start = P(1000, 1000) },
        });
        Expect(Math.Abs(packed[0].Path.Cost - plain["cost"].Number) < 0.1);
        Expect(Math.Abs(packed[1].Distance - (await small.WallAsync(P(1000, 1000)))["distance"].Number) < 0.1);

        Mesh tilted = daemon.Mesh("csharp-x-up");
        byte[] level = Encoding.ASCII.GetBytes("v 0 0 0\nv 0 20 0\nv 0 20 20\nv 0 0 20\nf 1 2 3 4\n");
        var axes = new Parameters { ["coordinates"] = new Parameters { ["axes"] = new[] { "y", "x", "-z" } } };
        await tilted.UploadAsync(level, config: axes);
        Expect((await tilted.FloorsAsync(new Parameters { ["y"] = 5, ["z"] = 5 })).Count == 1);
        var column = new PackedQuery { Kind = Kind.Floors, Start = new Point(0, 5, 5), Column = Column.Yz };
        Expect((await tilted.BatchPackedAsync(new[] { column }))[0].Places.Length == 1);
    }

    // What a listener throws is thrown, also where it is what a connection might throw.
    private static async Task Listeners(Client daemon)
    {
        var error = await Throws<System.IO.IOException>(daemon.Mesh("csharp-loud").UploadAsync(
            Floor(400), "model/obj", new Parameters { ["tile_cells"] = 64 }, null, (name, data) => { throw new System.IO.IOException("heard"); }));
        Expect(error.Message == "heard");
    }

    private static async Task Versions(Client daemon)
    {
        Mesh lives = daemon.Mesh("csharp-versions");
        var heard = new List<string>();
        Json first = await lives.UploadAsync(Floor(400), "model/obj", new Parameters { ["tile_cells"] = 64 }, null, (name, data) => heard.Add(name));
        Expect(first["state"].Text == "ready" && heard.Contains("progress") && heard.Last() == "ready");
        Json second = await lives.UploadAsync(Floor(20), "model/obj");
        int number = (int)first["version"].Number;
        Expect((await lives.ActivateAsync(number))["previous"].Number == second["version"].Number);
        Expect((await lives.InfoAsync())["active"].Number == number);
        Expect((await lives.VersionAsync(number))["state"].Text == "ready");
        Expect(!(await lives.DiffAsync(number, number + 1))["tiles"].IsNull);
        Expect(Encoding.ASCII.GetString(await lives.GeometryAsync(number), 0, 4) == "NAVG");
        Expect((await lives.PictureAsync(number, new Parameters { ["width"] = 300 })).Contains("<svg"));
        byte[] file = await lives.ExportAsync(number, "obj", new Parameters { ["bounds"] = new[] { 0, -1, 0, 20, 1, 20 } });
        Expect(Encoding.ASCII.GetString(file).Contains("\nf "));
        await lives.SetChecksAsync(new[] { new Parameters { ["name"] = "way", ["start"] = P(2, 2), ["end"] = P(18, 18), ["expect"] = "reachable" } });
        Expect((await lives.ChecksAsync())[0]["name"].Text == "way");
        await lives.DeleteAsync((int)second["version"].Number);
        Expect((await lives.VersionsAsync()).Count == 1);
        byte[] steep = Encoding.ASCII.GetBytes("v 0 0 0\nv 20 0 0\nv 20 90 20\nf 3 2 1\n");
        var error = await Throws<BakeException>(lives.UploadAsync(steep, "model/obj"));
        Expect(error.Code == "mesh_empty" && error.Version["state"].Text == "failed");
        await lives.DeleteAsync();
        Expect((await daemon.MeshesAsync()).All(mesh => mesh["mesh"].Text != "csharp-versions"));
    }

    private static async Task Instances(Client daemon)
    {
        Mesh worlds = daemon.Mesh("csharp-worlds");
        var gate = new Parameters { ["shapes"] = new[] { Box(-1, 21) } };
        await worlds.UploadAsync(Floor(20), "model/obj", null, new Parameters { ["switches"] = new Parameters { ["gate"] = gate } });
        Func<string, Parameters> gates = word => new Parameters { ["switches"] = new Parameters { ["gate"] = word } };
        Instance run = worlds.Instance("run-17");
        var revision = (long)(await run.PutAsync(gates("closed")))["revision"].Number;
        Expect((await run.PathAsync(P(2, 2), P(2, 18)))["blocked_by"][0].Text == "gate");
        Json changed = await run.ChangeAsync(gates("open"), revision);
        Json path = await run.PathAsync(P(2, 2), P(2, 18));
        Expect(path["status"].Text == "complete");
        Expect((await run.ValidAsync(path["points"].Select(point => point.Point)))["valid"].IsTrue);
        Expect((await worlds.InstancesAsync()).Single()["instance"].Text == "run-17");
        var error = await Throws<NavmeshdException>(run.ChangeAsync(gates("closed"), revision));
        Expect(error.Status == 412 && error.Code == "stale_etag");
        var instance = new Parameters { ["instance"] = "run-17" };
        Expect((await worlds.PathsPackedAsync(new[] { P(2, 2), P(2, 18) }, instance))[0].Status == PathStatus.Complete);
        double heard = 0;
        await run.EventsAsync((name, data) =>
        {
            heard = data["revision"].Number;
            return false;
        });
        Expect(heard == changed["revision"].Number);
        Expect((await run.GetAsync())["revision"].Number == heard);
        await run.DeleteAsync();
    }

    // A stream that says nothing more, and stays open.
    private const string Silent = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: nothing\n\n";

    // A server that answers as told, a connection each: a whole reply, or nothing.
    private static string Busy(params string[] replies)
    {
        var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        Task.Run(() =>
        {
            var open = new List<TcpClient>();
            foreach (string reply in replies)
            {
                TcpClient client = listener.AcceptTcpClient();
                var request = new byte[4096];
                client.GetStream().Read(request, 0, request.Length);
                byte[] bytes = Encoding.ASCII.GetBytes(reply);
                client.GetStream().Write(bytes, 0, bytes.Length);
                if (reply == Silent)
                {
                    open.Add(client);
                }
                else
                {
                    client.Close();
                }
            }
            open.ForEach(client => client.Close());
            listener.Stop();
        });
        return "http://127.0.0.1:" + ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private static string Reply(string status, string header = "", string body = "{\"code\":\"overloaded\",\"detail\":\"busy\",\"meshes\":[]}")
    {
        return "HTTP/1.1 " + status + "\r\nConnection: close\r\n" + header + "Content-Length: " + body.Length + "\r\n\r\n" + body;
    }

    private static async Task Retries()
    {
        var pause = TimeSpan.FromMilliseconds(5);
        var watch = Stopwatch.StartNew();
        using (var waits = new Client(Busy(Reply("503 No", "Retry-After: 1\r\n"), "", Reply("429 No"), Reply("200 OK"))) { Pause = pause })
        {
            Expect((await waits.MeshesAsync()).Count == 0 && watch.Elapsed >= TimeSpan.FromSeconds(0.99));
        }
        watch.Restart();
        using (var hurries = new Client(Busy(Reply("503 No", "Retry-After: 99999999\r\n"), Reply("200 OK"), Reply("302 Found", "Location: http://127.0.0.1:1/\r\n")))
               { ReplyTime = TimeSpan.FromSeconds(0.5) })
        {
            Expect((await hurries.MeshesAsync()).Count == 0 && watch.Elapsed < TimeSpan.FromSeconds(30));
            Expect((await Throws<NavmeshdException>(hurries.MeshesAsync())).Status == 302);
        }
        using (var ends = new Client(Busy(Reply("503 No"), Reply("503 No"), Reply("422 No"))) { Pause = pause, Retries = 1 })
        {
            Expect((await Throws<NavmeshdException>(ends.MeshesAsync())).Status == 503);
            Expect((await Throws<NavmeshdException>(ends.MeshesAsync())).Status == 422);
        }
    }

    // A stream that there is no room for or that breaks off is opened again, one that is silent given up; a deadline that comes
    // first is thrown; names may be long.
    private static async Task Waits()
    {
        const string baking = "{\"mesh\":\"a\",\"version\":1,\"state\":\"baking\"}", ready = "{\"mesh\":\"a\",\"version\":1,\"state\":\"ready\"}";
        string[] replies =
        {
            Reply("503 No"), Reply("200 OK", "", baking), "", Reply("200 OK", "", baking), Silent, Reply("200 OK", "", ready),
            Reply("200 OK", "", "{\"mesh\":\"a\",\"version\":1,\"reason\":\"deadline\"}"),
            Reply("200 OK", "", "{\"" + new string('n', 20000) + "\":\"" + new string('v', 20000) + "\"}"),
        };
        using (var daemon = new Client(Busy(replies)) { Pause = TimeSpan.FromMilliseconds(5), ReplyTime = TimeSpan.FromSeconds(1) })
        {
            Mesh a = daemon.Mesh("a");
            Expect((await a.WaitAsync(Json.Of(new Parameters { ["version"] = 1, ["state"] = "baking" })))["state"].Text == "ready");
            Expect((await Throws<NavmeshdException>(a.NearestAsync(P(1, 1)))).Code == "deadline");
            Expect((await daemon.StatusAsync())[new string('n', 20000)].Text.Length == 20000);
        }
    }

    private static async Task Run(string url)
    {
        using (var daemon = new Client(url))
        {
            await Questions(daemon);
            await PackedPaths(daemon);
            await PackedBatch(daemon);
            await Units(daemon);
            await Listeners(daemon);
            await Versions(daemon);
            await Instances(daemon);
        }
        await Retries();
        await Waits();
        Console.WriteLine(checks + " checks");
    }

    private static void Main()
    {
        Run(Environment.GetEnvironmentVariable("NAVMESHD_URL")).GetAwaiter().GetResult();
    }
}
