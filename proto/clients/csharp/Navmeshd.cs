// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// Navmeshd.cs: a client of navmeshd, which bakes navigation meshes and answers path questions. One file
// for .NET Standard 2.0, and so for .NET, Mono and Unity: copy it into the project.
//
//   using (var daemon = new Navmeshd.Client())                       // http://127.0.0.1:7650
//   {
//       Navmeshd.Mesh town = daemon.Mesh("town");
//       await town.UploadAsync(File.ReadAllBytes("town.obj"), "model/obj");
//       Navmeshd.Json path = await town.PathAsync(new Navmeshd.Point(2, 0, 2), new Navmeshd.Point(70, 0, 70));
//       foreach (Navmeshd.Json point in path["points"]) { ... }
//   }
//
// Answers are JSON as the daemon sends it; parameters have the API's names. A refusal is thrown as
// NavmeshdException. What found the daemon busy or away is sent again, after the time that it names
// (Retry-After), else after a pause that doubles each time; also when the connection broke, so that
// it may have done what it is then asked for once more (README of clients).
//
// Threads: a Client may be used from any number of them at once.

using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Net;
using System.Net.Http;
using System.Net.Http.Headers;
using System.Runtime.ExceptionServices;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using System.Xml;

namespace Navmeshd
{
    /// <summary>A position in the level's coordinates.</summary>
    public struct Point
    {
        public readonly float X, Y, Z;

        public Point(float x, float y, float z)
        {
            X = x;
            Y = y;
            Z = z;
        }

        public override string ToString()
        {
            return Json.Write(this);
        }
    }

    public enum PathStatus : byte
    {
        None,
        Partial,
        Complete,
    }

    public enum Reason : byte
    {
        Null,
        StartOffMesh,
        EndOffMesh,
        Unreachable,
        Blocked,
        NodeBudget,
        Deadline,
        MaxCost,
        MaxLength,
    }

    public enum Kind : byte
    {
        Path,
        Nearest,
        Raycast,
        Random,
        Reachable,
        Wall,
        Floors,
        Move,
    }

    /// <summary>The axes that name a column, which are those that are level. The values are bits of the packed form.</summary>
    public enum Column : byte
    {
        Xz = 0,
        Xy = 32,
        Yz = 64,
    }

    /// <summary>The daemon has refused a request. Code is a word that does not change from release to release.</summary>
    public class NavmeshdException : Exception
    {
        public readonly int Status;
        public readonly string Code;
        public readonly Json Problem;

        public NavmeshdException(int status, Json problem)
            : base(status + " " + problem["code"].Text + ": " + problem["detail"].Text)
        {
            Status = status;
            Code = problem["code"].Text ?? "internal_error";
            Problem = problem;
        }
    }

    /// <summary>A bake has failed, or was cancelled. Version is what there is of it.</summary>
    public sealed class BakeException : NavmeshdException
    {
        public readonly Json Version;

        public BakeException(Json version) : this(version, version["error"].IsNull ? Ended(version["state"].Text) : version["error"])
        {
        }

        private BakeException(Json version, Json why) : base((int)why["status"].Number, why)
        {
            Version = version;
        }

        private static Json Ended(string state)
        {
            return Json.Of(new Parameters { ["status"] = 409, ["code"] = state, ["detail"] = "the bake is " + state });
        }
    }

    /// <summary>A value of an answer. What is not there is null, and so are its members.</summary>
    public sealed class Json : IEnumerable<Json>
    {
        private static readonly Json Nothing = new Json(null);
        private readonly object value; // null, bool, double, string, List<Json>, Dictionary<string, Json>

        private Json(object value)
        {
            this.value = value;
        }

        public bool IsNull { get { return value == null; } }
        public bool IsTrue { get { return value is bool && (bool)value; } }
        public string Text { get { return value as string; } }
        public double Number { get { return value is double ? (double)value : double.NaN; } }
        public int Count { get { return value is List<Json> ? ((List<Json>)value).Count : 0; } }

        public Json this[string name]
        {
            get
            {
                Json found;
                var members = value as Dictionary<string, Json>;
                return members != null && members.TryGetValue(name, out found) ? found : Nothing;
            }
        }

        public Json this[int index]
        {
            get { return index < Count ? ((List<Json>)value)[index] : Nothing; }
        }

        /// <summary>A list of three numbers.</summary>
        public Point Point
        {
            get { return new Point((float)this[0].Number, (float)this[1].Number, (float)this[2].Number); }
        }

        public IEnumerator<Json> GetEnumerator()
        {
            return (value as List<Json> ?? new List<Json>()).GetEnumerator();
        }

        IEnumerator IEnumerable.GetEnumerator()
        {
            return GetEnumerator();
        }

        /// <summary>Reads a text. Null where it is no JSON.</summary>
        public static Json Parse(byte[] text)
        {
            try
            {
                var quotas = new XmlDictionaryReaderQuotas();
                XmlDictionaryReaderQuotas.Max.CopyTo(quotas);
                quotas.MaxDepth = 64;
                using (XmlDictionaryReader reader = JsonReaderWriterFactory.CreateJsonReader(text, quotas))
                {
                    reader.MoveToContent();
                    return Read(reader);
                }
            }
            catch (XmlException)
            {
                return null;
            }
        }

        // .NET Standard reads JSON as XML, whose elements say their type.
        private static Json Read(XmlDictionaryReader reader)
        {
            string type = reader.GetAttribute("type") ?? "string";
            if (type == "array" || type == "object")
            {
                return ReadMembers(reader, type == "array");
            }
            string text = reader.ReadElementContentAsString();
            switch (type)
            {
                case "number":
                    return new Json(double.Parse(text, CultureInfo.InvariantCulture));
                case "boolean":
                    return new Json(text == "true");
                case "null":
                    return Nothing;
                default:
                    return new Json(text);
            }
        }

        private static Json ReadMembers(XmlDictionaryReader reader, bool isList)
        {
            var list = new List<Json>();
            var members = new Dictionary<string, Json>();
            bool empty = reader.IsEmptyElement;
            reader.Read();
            while (!empty && reader.MoveToContent() == XmlNodeType.Element)
            {
                // A name that is no name of XML stands in an attribute.
                string name = reader.GetAttribute("item") ?? reader.LocalName;
                Json member = Read(reader);
                list.Add(member);
                if (!isList)
                {
                    members[name] = member;
                }
            }
            if (!empty)
            {
                reader.ReadEndElement();
            }
            return new Json(isList ? (object)list : members);
        }

        /// <summary>What `Write` writes, as a value.</summary>
        public static Json Of(object value)
        {
            return Parse(Encoding.UTF8.GetBytes(Write(value)));
        }

        public override string ToString()
        {
            return Write(this);
        }

        /// <summary>Writes null, bool, numbers, strings, Json, Points, dictionaries with string keys, and lists.</summary>
        public static string Write(object value)
        {
            var text = new StringBuilder();
            Write(text, value);
            return text.ToString();
        }

        private static void Write(StringBuilder text, object value)
        {
            if (value == null)
            {
                text.Append("null");
            }
            else if (value is Json)
            {
                Write(text, ((Json)value).value);
            }
            else if (value is bool)
            {
                text.Append((bool)value ? "true" : "false");
            }
            else if (value is string)
            {
                WriteString(text, (string)value);
            }
            else if (value is Point)
            {
                var point = (Point)value;
                Write(text, new[] { point.X, point.Y, point.Z });
            }
            else if (value is IDictionary)
            {
                WriteMembers(text, (IDictionary)value);
            }
            else if (value is IEnumerable)
            {
                char before = '[';
                foreach (object item in (IEnumerable)value)
                {
                    text.Append(before);
                    Write(text, item);
                    before = ',';
                }
                text.Append(before == '[' ? "[]" : "]");
            }
            else
            {
                string format = value is float || value is double ? "R" : null;
                text.Append(((IFormattable)value).ToString(format, CultureInfo.InvariantCulture));
            }
        }

        private static void WriteMembers(StringBuilder text, IDictionary members)
        {
            char before = '{';
            foreach (DictionaryEntry member in members)
            {
                text.Append(before);
                WriteString(text, (string)member.Key);
                text.Append(':');
                Write(text, member.Value);
                before = ',';
            }
            text.Append(before == '{' ? "{}" : "}");
        }

        private static void WriteString(StringBuilder text, string value)
        {
            text.Append('"');
            foreach (char c in value)
            {
                if (c == '"' || c == '\\')
                {
                    text.Append('\\').Append(c);
                }
                else if (c < ' ')
                {
                    text.Append("\\u").Append(((int)c).ToString("x4"));
                }
                else
                {
                    text.Append(c);
                }
            }
            text.Append('"');
        }
    }

    /// <summary>Parameters of a question, or members of an object, by the API's names.</summary>
    public sealed class Parameters : Dictionary<string, object>
    {
        /// <summary>These, and over them others (null: none).</summary>
        public Parameters With(Parameters others)
        {
            foreach (KeyValuePair<string, object> one in others ?? new Parameters())
            {
                this[one.Key] = one.Value;
            }
            return this;
        }
    }

    public sealed class PackedPath
    {
        public PathStatus Status;
        public Reason Reason;
        public bool Optimal;
        public float Length, Cost, LowerBound;
        public uint Nodes;
        public Point[] Points = new Point[0];
    }

    /// <summary>One query of a packed batch. What its kind does not have stays 0. Filter, Avoid, Instance and Agent are numbers
    /// of the batch's lists, from 1 on; 0: none.</summary>
    public sealed class PackedQuery
    {
        public Kind Kind;
        public Point Start;           // or point, or center; of floors the column's place
        public Point? End;            // or reachable_from
        public ushort Search;         // 0 auto, 1 fast, 2 exact
        public ushort Filter, Avoid, Instance, Agent;
        public uint DeadlineMs, Count, MaxNodes;
        public uint? Seed;
        public bool NoPartial, Above, Below;
        public bool HasCenter;        // of random: Start and Radius are a circle
        public Column Column;         // of floors
        public Point Snap = Packed.NotGiven; // NaN: not given, for which the daemon has a default in metres
        public float Radius;          // goal_radius, max_radius (0: not given) or radius
        public float MaxCost, MaxLength;
        public Point[] Points = new Point[0]; // of reachable
    }

    public struct Place
    {
        public Point Position;
        public float Distance;
        public uint Polygon, Component;
    }

    /// <summary>One result of a packed batch. What its kind does not have is empty or 0.</summary>
    public sealed class PackedResult
    {
        public Kind Kind;
        public bool HasAnswer; // else only the reason is told
        public Reason Reason;
        public uint Revision;  // of its instance; 0: none
        public bool Hit;
        public PackedPath Path;
        public Place[] Places = new Place[0];
        public uint Seed, Polygon;
        public float T, Cost, Distance;
        public Point Position, Normal;
        public uint[] Visited = new uint[0];
        public bool[] Reachable = new bool[0];
    }

    /// <summary>A daemon.</summary>
    public sealed class Client : IDisposable
    {
        private readonly HttpClient http;
        private readonly Random random = new Random();

        /// <summary>How often a request is sent again.</summary>
        public int Retries = 5;

        /// <summary>Before a request is sent again for the first time.</summary>
        public TimeSpan Pause = TimeSpan.FromMilliseconds(100);

        /// <param name="url">http://HOST:PORT</param>
        /// <param name="token">what the daemon's token file has for this client; null: none</param>
        public Client(string url = "http://127.0.0.1:7650", string token = null)
        {
            http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false }) { BaseAddress = new Uri(url), Timeout = Timeout.InfiniteTimeSpan };
            http.DefaultRequestHeaders.ExpectContinue = false;
            if (token != null)
            {
                http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", token);
            }
        }

        /// <summary>That a reply may take.</summary>
        public TimeSpan ReplyTime = TimeSpan.FromSeconds(60);

        public void Dispose()
        {
            http.Dispose();
        }

        /// <summary>A mesh by name, which need not be there yet.</summary>
        public Mesh Mesh(string name)
        {
            return new Mesh(this, name);
        }

        /// <summary>All meshes, with their live versions.</summary>
        public async Task<Json> MeshesAsync()
        {
            return (await AskAsync("GET", "/v1/meshes").ConfigureAwait(false))["meshes"];
        }

        /// <summary>Sends JSON (null: no body), returns the reply's.</summary>
        public async Task<Json> AskAsync(string method, string path, object body = null, string ifMatch = null)
        {
            byte[] bytes = body == null ? null : Encoding.UTF8.GetBytes(Json.Write(body));
            byte[] reply = await SendAsync(method, path, bytes, "application/json", ifMatch).ConfigureAwait(false);
            return Json.Parse(reply.Length == 0 ? Encoding.ASCII.GetBytes("null") : reply);
        }

        /// <summary>Build, uptime, memory, queue, limits.</summary>
        public Task<Json> StatusAsync()
        {
            return AskAsync("GET", "/v1/status");
        }

        /// <summary>Sends bytes, returns the reply's. What found the daemon busy or away is sent again.</summary>
        public async Task<byte[]> SendAsync(string method, string path, byte[] body = null, string contentType = null, string ifMatch = null)
        {
            for (int attempt = 0;; attempt++)
            {
                TimeSpan pause;
                try
                {
                    using (var timeout = new CancellationTokenSource(ReplyTime))
                    using (HttpRequestMessage request = Request(method, path, body, contentType, ifMatch))
                    using (HttpResponseMessage reply = await http.SendAsync(request, timeout.Token).ConfigureAwait(false))
                    {
                        byte[] content = await reply.Content.ReadAsByteArrayAsync().ConfigureAwait(false);
                        var status = (int)reply.StatusCode;
                        if ((status != 429 && status != 503) || attempt >= Retries)
                        {
                            return status < 300 || status == 304 ? content : throw new NavmeshdException(status, Problem(content));
                        }
                        pause = reply.Headers.RetryAfter?.Delta ?? BackOff(attempt);
                        pause = pause < ReplyTime ? pause : ReplyTime;
                    }
                }
                catch (Exception error) when (attempt < Retries && !(error is NavmeshdException) && IsAway(error))
                {
                    pause = BackOff(attempt);
                }
                await Task.Delay(pause).ConfigureAwait(false);
            }
        }

        /// <summary>Server-sent events of a path, until the daemon ends the stream or `hear` says false: it has heard enough. A
        /// daemon that has nothing to tell says so every few seconds, so that ReplyTime is only for one that is away.</summary>
        public async Task EventsAsync(string path, Func<string, Json, bool> hear)
        {
            HttpResponseMessage begun;
            using (var timeout = new CancellationTokenSource(ReplyTime))
            using (HttpRequestMessage request = Request("GET", path, null, null, null))
            {
                begun = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead, timeout.Token).ConfigureAwait(false);
            }
            using (HttpResponseMessage reply = begun)
            {
                if ((int)reply.StatusCode >= 300)
                {
                    throw new NavmeshdException((int)reply.StatusCode, Problem(await reply.Content.ReadAsByteArrayAsync().ConfigureAwait(false)));
                }
                using (var lines = new StreamReader(await reply.Content.ReadAsStreamAsync().ConfigureAwait(false), Encoding.UTF8))
                {
                    string name = "message", line;
                    while ((line = await ReadLineAsync(lines).ConfigureAwait(false)) != null)
                    {
                        if (line.StartsWith("event: ", StringComparison.Ordinal))
                        {
                            name = line.Substring(7);
                        }
                        else if (line.StartsWith("data: ", StringComparison.Ordinal) &&
                                 !hear(name, Json.Parse(Encoding.UTF8.GetBytes(line.Substring(6)))))
                        {
                            return;
                        }
                    }
                }
            }
        }

        // A stream has no timeout of its own.
        private async Task<string> ReadLineAsync(StreamReader lines)
        {
            using (var waits = new CancellationTokenSource())
            {
                Task<string> line = lines.ReadLineAsync();
                if (await Task.WhenAny(line, Task.Delay(ReplyTime, waits.Token)).ConfigureAwait(false) != line)
                {
                    // Its stream is closed next, and what that throws is for nobody.
                    _ = line.ContinueWith(late => late.Exception, TaskContinuationOptions.OnlyOnFaulted);
                    throw new IOException("nothing has come for " + ReplyTime.TotalSeconds + " s");
                }
                waits.Cancel();
                return await line.ConfigureAwait(false);
            }
        }

        internal static bool IsAway(Exception error)
        {
            return error is HttpRequestException || error is OperationCanceledException || error is WebException || error is IOException;
        }

        private static HttpRequestMessage Request(string method, string path, byte[] body, string contentType, string ifMatch)
        {
            var request = new HttpRequestMessage(new HttpMethod(method), path);
            if (body != null)
            {
                request.Content = new ByteArrayContent(body);
                request.Content.Headers.ContentType = MediaTypeHeaderValue.Parse(contentType);
            }
            if (ifMatch != null)
            {
                request.Headers.TryAddWithoutValidation("If-Match", ifMatch);
            }
            return request;
        }

        // Clients that were sent away together do not come back together.
        private TimeSpan BackOff(int attempt)
        {
            lock (random)
            {
                return TimeSpan.FromMilliseconds(Pause.TotalMilliseconds * Math.Pow(2, attempt) * (0.5 + random.NextDouble() / 2));
            }
        }

        private static Json Problem(byte[] content)
        {
            Json problem = Json.Parse(content);
            return problem != null && !problem["code"].IsNull
                ? problem
                : Json.Of(new Parameters { ["code"] = "internal_error", ["detail"] = "the reply is no JSON" });
        }
    }

    /// <summary>A mesh by name: its questions, versions and instances. `options` of a question are further parameters of the
    /// API, such as new Parameters { ["filter"] = "cart", ["instance"] = "run-17" }.</summary>
    public sealed class Mesh
    {
        public readonly string Name;
        internal readonly Client Client;
        internal readonly string Path;

        internal Mesh(Client client, string name)
        {
            Client = client;
            Name = name;
            Path = "/v1/meshes/" + Uri.EscapeDataString(name);
        }

        // ---- questions ----

        /// <summary>Any question by its word.</summary>
        public Task<Json> AskAsync(string word, Parameters question)
        {
            return Client.AskAsync("POST", Path + "/" + word, question);
        }

        /// <summary>The way from start to end.</summary>
        public Task<Json> PathAsync(Point start, Point end, Parameters options = null)
        {
            return AskAsync("path", new Parameters { ["start"] = start, ["end"] = end }.With(options));
        }

        /// <summary>The places of the mesh that are nearest to a point.</summary>
        public Task<Json> NearestAsync(Point point, Parameters options = null)
        {
            return MemberAsync("points", AskAsync("nearest", new Parameters { ["point"] = point }.With(options)));
        }

        /// <summary>Every floor of a column, highest first: { ["x"] = 5, ["z"] = 5 }, or x and y where the level has Z up.</summary>
        public Task<Json> FloorsAsync(Parameters column, Parameters options = null)
        {
            return MemberAsync("floors", AskAsync("floors", new Parameters().With(column).With(options)));
        }

        /// <summary>Straight until a wall is in the way.</summary>
        public Task<Json> RaycastAsync(Point start, Point end, Parameters options = null)
        {
            return AskAsync("raycast", new Parameters { ["start"] = start, ["end"] = end }.With(options));
        }

        /// <summary>A step that slides along walls.</summary>
        public Task<Json> MoveAsync(Point start, Point end, Parameters options = null)
        {
            return AskAsync("move", new Parameters { ["start"] = start, ["end"] = end }.With(options));
        }

        /// <summary>The nearest wall: max_radius.</summary>
        public Task<Json> WallAsync(Point point, Parameters options = null)
        {
            return AskAsync("wall", new Parameters { ["point"] = point }.With(options));
        }

        /// <summary>Random places, spread evenly: count, seed, center, radius.</summary>
        public Task<Json> RandomAsync(Parameters options = null)
        {
            return AskAsync("random", new Parameters().With(options));
        }

        /// <summary>The polygons that can be reached at a cost.</summary>
        public Task<Json> FloodAsync(Point start, double maxCost, Parameters options = null)
        {
            return AskAsync("flood", new Parameters { ["start"] = start, ["max_cost"] = maxCost }.With(options));
        }

        /// <summary>Costs of the paths from each source to each target; nearest K: only the K cheapest.</summary>
        public Task<Json> MatrixAsync(IEnumerable<Point> sources, IEnumerable<Point> targets, Parameters options = null)
        {
            return AskAsync("matrix", new Parameters { ["sources"] = sources, ["targets"] = targets }.With(options));
        }

        /// <summary>Whether each of the points can be reached from start.</summary>
        public Task<Json> ReachableAsync(Point start, IEnumerable<Point> points, Parameters options = null)
        {
            return MemberAsync("reachable", AskAsync("reachable", new Parameters { ["start"] = start, ["points"] = points }.With(options)));
        }

        /// <summary>Whether a movement log can have been walked: times_ms, max_speed.</summary>
        public Task<Json> TraceAsync(IEnumerable<Point> positions, Parameters options = null)
        {
            return AskAsync("trace", new Parameters { ["positions"] = positions }.With(options));
        }

        // Of an answer that has nothing but a reason where a deadline came first.
        private static async Task<Json> MemberAsync(string name, Task<Json> asked)
        {
            Json answer = await asked.ConfigureAwait(false);
            return answer[name].IsNull
                ? throw new NavmeshdException(200, Json.Of(new Parameters { ["code"] = "deadline", ["detail"] = "the deadline came before the answer" }))
                : answer[name];
        }

        /// <summary>Many paths in one request, answered from one version (0: the live one), in their order.</summary>
        public async Task<Json> PathsAsync(IEnumerable<Parameters> queries, Parameters defaults = null, int version = 0)
        {
            var body = new Parameters { ["queries"] = queries, ["defaults"] = defaults ?? new Parameters() };
            if (version != 0)
            {
                body["version"] = version;
            }
            return (await AskAsync("paths", body).ConfigureAwait(false))["results"];
        }

        /// <summary>Mixed questions in one request. lists: filters, avoid_sets, instances, agents, and version.</summary>
        public async Task<Json> BatchAsync(IEnumerable<Parameters> queries, Parameters lists = null)
        {
            return (await AskAsync("batch", new Parameters { ["queries"] = queries }.With(lists)).ConfigureAwait(false))["results"];
        }

        // ---- packed questions: bytes, for thousands a tick ----

        /// <summary>Paths as bytes: the start and the end of each, one behind the other. defaults: what else is the same for all.
        /// version 0: the live one.</summary>
        public async Task<PackedPath[]> PathsPackedAsync(IList<Point> ends, Parameters defaults = null, uint version = 0)
        {
            byte[] extra = defaults == null ? new byte[0] : Encoding.UTF8.GetBytes(Json.Write(defaults));
            var body = new MemoryStream();
            using (var to = new BinaryWriter(body))
            {
                to.Write(Encoding.ASCII.GetBytes("NAVQ"));
                foreach (uint number in new[] { 1u, (uint)(ends.Count / 2), version, 0u, 0u, 0u, 0u })
                {
                    to.Write(number);
                }
                Packed.Write(to, Packed.NotGiven); // snap
                to.Write(new byte[48]);            // filter: the default
                to.Write(extra.Length);
                foreach (Point point in ends)
                {
                    Packed.Write(to, point);
                }
                to.Write(extra);
            }
            return Packed.ReadPaths(await PackedAsync("paths", body.ToArray()).ConfigureAwait(false));
        }

        /// <summary>Mixed questions as bytes. lists: filters, avoid_sets, instances, agents.</summary>
        public async Task<PackedResult[]> BatchPackedAsync(IList<PackedQuery> queries, Parameters lists = null, int version = 0)
        {
            byte[] extra = lists == null ? new byte[0] : Encoding.UTF8.GetBytes(Json.Write(lists));
            int points = 0;
            foreach (PackedQuery query in queries)
            {
                points += query.Points.Length;
            }
            var body = new MemoryStream();
            using (var to = new BinaryWriter(body))
            {
                to.Write(Encoding.ASCII.GetBytes("NAVB"));
                foreach (int number in new[] { 1, queries.Count, version, extra.Length, points, 0, 0 })
                {
                    to.Write(number);
                }
                foreach (PackedQuery query in queries)
                {
                    Packed.Write(to, query);
                }
                foreach (PackedQuery query in queries)
                {
                    foreach (Point point in query.Points)
                    {
                        Packed.Write(to, point);
                    }
                }
                to.Write(extra);
            }
            return Packed.ReadBatch(await PackedAsync("batch", body.ToArray()).ConfigureAwait(false));
        }

        private Task<byte[]> PackedAsync(string word, byte[] body)
        {
            return Client.SendAsync("POST", Path + "/" + word, body, "application/vnd.navmeshd." + word);
        }

        // ---- versions ----

        /// <summary>Uploads a level and waits until it is baked. arguments: single settings, activate, reuse and the like; config:
        /// all settings; hear: the progress. Throws BakeException where the bake fails.</summary>
        public async Task<Json> UploadAsync(byte[] geometry, string contentType = "application/octet-stream", Parameters arguments = null,
                                            Parameters config = null, Action<string, Json> hear = null)
        {
            byte[] body = geometry;
            if (config != null)
            {
                string boundary = "navmeshd-" + Guid.NewGuid().ToString("N");
                body = Form(geometry, contentType, config, boundary);
                contentType = "multipart/form-data; boundary=" + boundary;
            }
            byte[] reply = await Client.SendAsync("POST", Path + "/versions" + Query(arguments), body, contentType).ConfigureAwait(false);
            return await WaitAsync(Json.Parse(reply), hear).ConfigureAwait(false);
        }

        // "?name=value&...": numbers in a list as "1,2,3", objects as JSON.
        private static string Query(Parameters arguments)
        {
            var query = new StringBuilder();
            foreach (KeyValuePair<string, object> one in arguments ?? new Parameters())
            {
                string value = one.Value as string ?? Json.Write(one.Value);
                if (one.Value is IEnumerable<float> || one.Value is IEnumerable<double> || one.Value is IEnumerable<int>)
                {
                    value = value.Substring(1, value.Length - 2);
                }
                query.Append(query.Length == 0 ? '?' : '&').Append(Uri.EscapeDataString(one.Key)).Append('=').Append(Uri.EscapeDataString(value));
            }
            return query.ToString();
        }

        /// <summary>Waits for the end of a bake. A stream of events that breaks off, or that there is no room for, is opened
        /// again.</summary>
        public async Task<Json> WaitAsync(Json version, Action<string, Json> hear = null)
        {
            string at = PathOf((int)version["version"].Number);
            while (IsGoingOn(version))
            {
                Exception heard = null;
                try
                {
                    await Client.EventsAsync(at + "/events", (name, data) =>
                    {
                        try
                        {
                            hear?.Invoke(name, data);
                        }
                        catch (Exception error)
                        {
                            heard = error; // whatever it is, it is not the stream's
                        }
                        return heard == null;
                    }).ConfigureAwait(false);
                }
                catch (Exception error) when (heard == null && (Client.IsAway(error) || (error as NavmeshdException)?.Status == 503))
                {
                    // It is asked for again.
                }
                if (heard != null)
                {
                    ExceptionDispatchInfo.Capture(heard).Throw();
                }
                version = await Client.AskAsync("GET", at).ConfigureAwait(false);
                if (IsGoingOn(version))
                {
                    await Task.Delay(Client.Pause).ConfigureAwait(false);
                }
            }
            return version["state"].Text == "ready" ? version : throw new BakeException(version);
        }

        private static bool IsGoingOn(Json version)
        {
            return version["state"].Text == "queued" || version["state"].Text == "baking";
        }

        private string PathOf(int version)
        {
            return Path + "/versions/" + version.ToString(CultureInfo.InvariantCulture);
        }

        private static byte[] Form(byte[] geometry, string contentType, Parameters config, string boundary)
        {
            const string head = "--{0}\r\nContent-Disposition: form-data; name=\"{1}\"\r\nContent-Type: {2}\r\n\r\n";
            var body = new MemoryStream();
            Action<string> add = text =>
            {
                byte[] bytes = Encoding.UTF8.GetBytes(text);
                body.Write(bytes, 0, bytes.Length);
            };
            add(string.Format(head, boundary, "geometry", contentType));
            body.Write(geometry, 0, geometry.Length);
            add("\r\n" + string.Format(head, boundary, "config", "application/json"));
            add(Json.Write(config) + "\r\n--" + boundary + "--\r\n");
            return body.ToArray();
        }

        /// <summary>The mesh with its live version and all others.</summary>
        public Task<Json> InfoAsync()
        {
            return Client.AskAsync("GET", Path);
        }

        /// <summary>All versions.</summary>
        public async Task<Json> VersionsAsync()
        {
            return (await Client.AskAsync("GET", Path + "/versions").ConfigureAwait(false))["versions"];
        }

        /// <summary>One version.</summary>
        public Task<Json> VersionAsync(int version)
        {
            return Client.AskAsync("GET", PathOf(version));
        }

        /// <summary>Makes a version live, or rolls back to it. force: whatever the checks say.</summary>
        public Task<Json> ActivateAsync(int version, bool force = false)
        {
            return Client.AskAsync("PUT", Path + "/active" + (force ? "?force=1" : ""), new Parameters { ["version"] = version });
        }

        /// <summary>Tiles, walkable area and islands that changed: agent.</summary>
        public Task<Json> DiffAsync(int from, int to, Parameters query = null)
        {
            return Client.AskAsync("GET", Path + "/versions/diff" + Query(new Parameters { ["from"] = from, ["to"] = to }.With(query)));
        }

        /// <summary>What each new version must meet before it goes live.</summary>
        public async Task<Json> ChecksAsync()
        {
            return (await Client.AskAsync("GET", Path + "/checks").ConfigureAwait(false))["checks"];
        }

        /// <summary>Replaces the checks.</summary>
        public Task SetChecksAsync(IEnumerable<Parameters> checks)
        {
            return Client.AskAsync("PUT", Path + "/checks", new Parameters { ["checks"] = checks });
        }

        /// <summary>The triangles of a version, or its file of tiles, as they are stored.</summary>
        public Task<byte[]> GeometryAsync(int version)
        {
            return Client.SendAsync("GET", PathOf(version) + "/geometry");
        }

        /// <summary>A version as a file: json, packed, obj, glb, mset or svg; bounds, agent.</summary>
        public Task<byte[]> ExportAsync(int version, string format, Parameters query = null)
        {
            return Client.SendAsync("GET", PathOf(version) + "/export" + Query(new Parameters { ["format"] = format }.With(query)));
        }

        /// <summary>A version from above, as SVG: width, path, agent.</summary>
        public async Task<string> PictureAsync(int version, Parameters query = null)
        {
            return Encoding.UTF8.GetString(await Client.SendAsync("GET", PathOf(version) + "/render.svg" + Query(query)).ConfigureAwait(false));
        }

        /// <summary>Deletes a version, or cancels its bake; null: the whole mesh.</summary>
        public Task DeleteAsync(int? version = null)
        {
            return Client.SendAsync("DELETE", version == null ? Path : PathOf(version.Value));
        }

        // ---- instances ----

        /// <summary>All instances of the mesh, page by page.</summary>
        public async Task<IList<Json>> InstancesAsync()
        {
            var all = new List<Json>();
            string query = "";
            while (query != null)
            {
                Json page = await Client.AskAsync("GET", Path + "/instances" + query).ConfigureAwait(false);
                all.AddRange(page["instances"]);
                query = page["next"].IsNull ? null : Query(new Parameters { ["after"] = page["next"].Text });
            }
            return all;
        }

        /// <summary>State at run time by name, which need not be there yet.</summary>
        public Instance Instance(string name)
        {
            return new Instance(this, name);
        }
    }

    /// <summary>State of a world at run time, laid over a mesh: switches, obstacles, links, area_costs.</summary>
    public sealed class Instance
    {
        public readonly string Name;
        private readonly Mesh mesh;
        private readonly string path;

        internal Instance(Mesh mesh, string name)
        {
            this.mesh = mesh;
            Name = name;
            path = mesh.Path + "/instances/" + Uri.EscapeDataString(name);
        }

        /// <summary>Creates or replaces it.</summary>
        public Task<Json> PutAsync(Parameters state)
        {
            return mesh.Client.AskAsync("PUT", path, state);
        }

        /// <summary>Changes what is named; null removes one by its id. revision: only if it still has that one.</summary>
        public Task<Json> ChangeAsync(Parameters changes, long? revision = null)
        {
            return mesh.Client.AskAsync("PATCH", path, changes, revision == null ? null : "\"" + revision + "\"");
        }

        /// <summary>Its state, with its revision.</summary>
        public Task<Json> GetAsync()
        {
            return mesh.Client.AskAsync("GET", path);
        }

        /// <summary>Whether an earlier path still holds. options: revision, that it was found in, agent, filter.</summary>
        public Task<Json> ValidAsync(IEnumerable<Point> points, Parameters options = null)
        {
            return mesh.Client.AskAsync("POST", path + "/valid", new Parameters { ["points"] = points }.With(options));
        }

        /// <summary>Its changes as they come, until `hear` says false.</summary>
        public Task EventsAsync(Func<string, Json, bool> hear)
        {
            return mesh.Client.EventsAsync(path + "/events", hear);
        }

        /// <summary>A path in this instance.</summary>
        public Task<Json> PathAsync(Point start, Point end, Parameters options = null)
        {
            return mesh.PathAsync(start, end, new Parameters { ["instance"] = Name }.With(options));
        }

        /// <summary>Removes it.</summary>
        public Task DeleteAsync()
        {
            return mesh.Client.SendAsync("DELETE", path);
        }
    }

    // Packed forms: little-endian, as BinaryReader and BinaryWriter have it.
    internal static class Packed
    {
        // Distances that are not given, for which the daemon has defaults in metres.
        public static readonly Point NotGiven = new Point(float.NaN, float.NaN, float.NaN);

        public static void Write(BinaryWriter to, Point point)
        {
            to.Write(point.X);
            to.Write(point.Y);
            to.Write(point.Z);
        }

        public static void Write(BinaryWriter to, PackedQuery q)
        {
            bool[] flags = { q.NoPartial, q.Above, q.Below, q.HasCenter || (q.Kind == Kind.Nearest && q.End != null), q.Seed != null };
            int bits = (int)q.Column;
            for (int i = 0; i < flags.Length; i++)
            {
                bits |= flags[i] ? 1 << i : 0;
            }
            to.Write((byte)q.Kind);
            to.Write((byte)bits);
            foreach (ushort number in new[] { q.Search, q.Filter, q.Avoid, q.Instance, q.Agent })
            {
                to.Write(number);
            }
            to.Write(q.DeadlineMs);
            to.Write(q.Kind == Kind.Reachable ? (uint)q.Points.Length : q.Count);
            to.Write(q.Seed ?? q.MaxNodes);
            Write(to, q.Start);
            Write(to, q.End ?? default(Point));
            Write(to, q.Snap);
            to.Write(q.Kind == Kind.Wall && q.Radius == 0 ? float.NaN : q.Radius);
            to.Write(q.MaxCost);
            to.Write(q.MaxLength);
        }

        private static BinaryReader Open(byte[] bytes, string magic)
        {
            var from = new BinaryReader(new MemoryStream(bytes));
            if (Encoding.ASCII.GetString(from.ReadBytes(4)) != magic || from.ReadUInt32() != 1)
            {
                throw new InvalidDataException("this is no packed answer that this client knows");
            }
            from.ReadUInt32(); // version
            return from;
        }

        private static Point ReadPoint(BinaryReader from)
        {
            float x = from.ReadSingle(), y = from.ReadSingle(), z = from.ReadSingle();
            return new Point(x, y, z);
        }

        // A list whose length stands before it, or is given.
        private static T[] ReadList<T>(BinaryReader from, Func<BinaryReader, T> read, uint? count = null)
        {
            uint left = count ?? from.ReadUInt32();
            if (left > from.BaseStream.Length)
            {
                throw new InvalidDataException("a packed answer ends too early");
            }
            var list = new T[left];
            for (uint i = 0; i < left; i++)
            {
                list[i] = read(from);
            }
            return list;
        }

        public static PackedPath[] ReadPaths(byte[] bytes)
        {
            using (BinaryReader from = Open(bytes, "NAVP"))
            {
                uint count = from.ReadUInt32();
                from.ReadUInt64(); // point count, revision
                var counts = new List<uint>();
                PackedPath[] paths = ReadList(from, row =>
                {
                    var path = new PackedPath { Status = (PathStatus)row.ReadByte(), Reason = (Reason)row.ReadByte(), Optimal = row.ReadByte() == 1 };
                    row.ReadByte();   // unproven
                    row.ReadUInt32(); // first point: they follow each other
                    counts.Add(row.ReadUInt32());
                    path.Length = row.ReadSingle();
                    path.Cost = row.ReadSingle();
                    path.LowerBound = row.ReadSingle();
                    path.Nodes = row.ReadUInt32();
                    return path;
                }, count);
                for (int i = 0; i < paths.Length; i++)
                {
                    paths[i].Points = ReadList(from, ReadPoint, counts[i]);
                }
                return paths;
            }
        }

        public static PackedResult[] ReadBatch(byte[] bytes)
        {
            using (BinaryReader from = Open(bytes, "NAVR"))
            {
                uint count = from.ReadUInt32();
                from.ReadUInt64();
                uint[] offsets = ReadList(from, row => row.ReadUInt32(), count);
                var results = new PackedResult[offsets.Length];
                for (int i = 0; i < results.Length; i++)
                {
                    from.BaseStream.Position = offsets[i];
                    results[i] = ReadResult(from);
                }
                return results;
            }
        }

        private static PackedResult ReadResult(BinaryReader from)
        {
            var result = new PackedResult { Kind = (Kind)from.ReadByte() };
            byte outcome = from.ReadByte();
            result.HasAnswer = result.Kind == Kind.Path || outcome == 1;
            result.Reason = (Reason)from.ReadByte();
            result.Hit = (from.ReadByte() & 1) != 0;
            result.Revision = from.ReadUInt32();
            if (result.HasAnswer)
            {
                ReadAnswer(from, result, outcome);
            }
            return result;
        }

        private static void ReadAnswer(BinaryReader from, PackedResult to, byte outcome)
        {
            switch (to.Kind)
            {
                case Kind.Path:
                    to.Path = new PackedPath { Status = (PathStatus)outcome, Reason = to.Reason, Optimal = to.Hit };
                    to.Path.Length = from.ReadSingle();
                    to.Path.Cost = from.ReadSingle();
                    to.Path.LowerBound = from.ReadSingle();
                    to.Path.Nodes = from.ReadUInt32();
                    to.Path.Points = ReadList(from, ReadPoint);
                    break;
                case Kind.Random:
                    to.Seed = from.ReadUInt32();
                    to.Places = ReadList(from, ReadPlace);
                    break;
                case Kind.Nearest:
                case Kind.Floors:
                    to.Places = ReadList(from, ReadPlace);
                    break;
                case Kind.Raycast:
                    to.T = from.ReadSingle();
                    ReadPoint(from); // the start, as snapped
                    to.Position = ReadPoint(from);
                    to.Normal = ReadPoint(from);
                    to.Cost = from.ReadSingle();
                    to.Polygon = from.ReadUInt32();
                    break;
                case Kind.Move:
                    to.Position = ReadPoint(from);
                    to.Polygon = from.ReadUInt32();
                    to.Visited = ReadList(from, row => row.ReadUInt32());
                    break;
                case Kind.Reachable:
                    to.Reachable = ReadList(from, row => row.ReadByte() == 1);
                    break;
                case Kind.Wall:
                    to.Distance = from.ReadSingle();
                    to.Position = ReadPoint(from);
                    to.Normal = ReadPoint(from);
                    break;
            }
        }

        private static Place ReadPlace(BinaryReader from)
        {
            return new Place { Position = ReadPoint(from), Distance = from.ReadSingle(), Polygon = from.ReadUInt32(), Component = from.ReadUInt32() };
        }
    }
}
