// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// validate.mjs: holds replies against openapi.json, and binary glTF against its specification. The
// HTTP tests leave them in a folder (REPLIES): a file each, and lists that name them:
//
//   STATUS <tab> METHOD <tab> content type <tab> file <tab> path
//
//   node validate.mjs FOLDER    TAP, a line an operation and status

import {readFileSync, readdirSync, statSync} from "node:fs";
import {createRequire} from "node:module";
import {join} from "node:path";
import {fileURLToPath} from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const require = createRequire(join(root, "build/node/"));
const Ajv2020 = require("ajv/dist/2020");
const addFormats = require("ajv-formats");
const gltf = require("gltf-validator"); // Khronos'

const MOST_SHOWN = 3; // faults of one operation and status

const folder = process.argv[2];
const api = JSON.parse(readFileSync(join(root, "server/api/openapi.json"), "utf8"));
const ajv = new Ajv2020({strict: false, allErrors: false, validateFormats: true});
addFormats(ajv);
ajv.addSchema(closed(api), "api");

// The document, in which an object has no member that is not described. Only where a schema stands
// for a whole value: a part of allOf describes some of the members.
function closed(node, whole = false) {
    if (Array.isArray(node)) {
        return node.map((item) => closed(item, whole));
    }
    if (node === null || typeof node !== "object") {
        return node;
    }
    const out = {};
    for (const [key, value] of Object.entries(node)) {
        if (key === "properties") {
            out[key] = Object.fromEntries(Object.entries(value).map(([k, v]) => [k, closed(v, true)]));
        } else {
            out[key] = closed(value, ["schema", "items", "prefixItems", "additionalProperties"].includes(key));
        }
    }
    const free = node.type === "object" && !node.properties && !node.allOf && !node.anyOf && !node.oneOf;
    const describes = node.$ref || node.properties || node.allOf || node.anyOf || node.oneOf;
    if (whole && describes && !free && !("additionalProperties" in node)) {
        out.unevaluatedProperties = false;
    }
    return out;
}

// "/v1/meshes/{mesh}" to /^\/v1\/meshes\/[^/]+$/, those without a variable first.
const patterns = Object.keys(api.paths)
    .sort((a, b) => a.split("{").length - b.split("{").length)
    .map((path) => [path, new RegExp("^" + path.replace(/\{[^}]+\}/g, "[^/]+") + "$")]);

function follow(node) {
    return node.$ref ? node.$ref.slice(2).split("/").reduce((at, name) => at[unescape(name)], api) : node;
}

function pointer(...names) {
    return "api#/" + names.map((n) => encodeURIComponent(n.replace(/~/g, "~0").replace(/\//g, "~1"))).join("/");
}

// The schema of a reply: its place in the document, or null where it has none, as text has; undefined
// where openapi.json knows no such reply.
function schemaOf(path, method, status, type, bytes) {
    const responses = api.paths[path]?.[method]?.responses;
    const word = [String(status), `${String(status)[0]}XX`, "default"].find((w) => responses?.[w]);
    if (!word) {
        return undefined;
    }
    const response = follow(responses[word]);
    const at = responses[word].$ref
        ? responses[word].$ref.slice(2).split("/")
        : ["paths", path, method, "responses", word];
    if (!response.content) {
        return bytes === 0 ? null : undefined;
    }
    const content = response.content[type];
    if (!content) {
        return undefined;
    }
    return content.schema && type.endsWith("json") ? pointer(...at, "content", type, "schema") : null;
}

const seen = new Map(); // "get /v1/status 200" -> {count, faults}

function note(name, fault) {
    const entry = seen.get(name) ?? {count: 0, faults: []};
    entry.count++;
    if (fault) {
        entry.faults.push(fault);
    }
    seen.set(name, entry);
}

const files = []; // of binary glTF, which are looked at last

// Neither an error nor a warning or a hint.
async function checkGltf({name, file, path}) {
    const {issues} = await gltf.validateBytes(new Uint8Array(readFileSync(join(folder, file))));
    note(name, issues.messages.length ? `${path}: ${JSON.stringify(issues.messages[0])}` : null);
}

function check(status, method, type, file, path) {
    const pattern = patterns.find(([, regexp]) => regexp.test(path))?.[0];
    const mime = type.split(";")[0].trim();
    if (method === "options" && status === 204) {
        note("options 204", type === "" ? null : `${path}: a preflight has no body`);
    } else if (!pattern || !api.paths[pattern][method]) {
        // An address or a method that there is none of is always an error of the one shape.
        note(`unknown address ${status}`, problem(status, mime, file, path));
    } else {
        checkOperation(pattern, status, method, mime, file, path);
    }
}

function checkOperation(pattern, status, method, mime, file, path) {
    const place = schemaOf(pattern, method, status, mime, statSync(join(folder, file)).size);
    const name = `${method} ${pattern} ${status} ${mime}`;
    if (place === undefined) {
        note(name, `${path}: no such reply is described`);
    } else if (status === 200 && mime === "model/gltf-binary") {
        files.push({name, file, path});
    } else if (place === null) {
        note(name, null);
    } else {
        note(name, against(place, file, path));
    }
}

function problem(status, mime, file, path) {
    return mime === "application/problem+json" && status >= 400
        ? against("api#/components/schemas/Problem", file, path)
        : `${path}: ${status} ${mime} is no error`;
}

function against(place, file, path) {
    const validate = ajv.getSchema(place);
    let body;
    try {
        body = JSON.parse(readFileSync(join(folder, file), "utf8"));
    } catch (error) {
        return `${path}: ${error.message}`;
    }
    return validate(body)
        ? null
        : `${path}: ${ajv.errorsText(validate.errors)} ${JSON.stringify(validate.errors[0].params)} in ` +
              JSON.stringify(body).slice(0, 400);
}

for (const list of readdirSync(folder).filter((name) => name.startsWith("list."))) {
    for (const line of readFileSync(join(folder, list), "utf8").split("\n")) {
        const [status, method, type, file, path] = line.split("\t");
        // 000: no reply came, as where a test breaks a connection. HEAD has no body.
        if (path !== undefined && status !== "000" && method !== "HEAD") {
            check(Number(status), method.toLowerCase(), type, file, path);
        }
    }
}

for (const file of files) {
    await checkGltf(file);
}

let failed = false;
let number = 0;
for (const [name, {count, faults}] of [...seen].sort()) {
    number++;
    console.log(`${faults.length ? "not ok" : "ok"} ${number} ${name}: ${count} replies`);
    for (const fault of faults.slice(0, MOST_SHOWN)) {
        console.log(`# ${fault}`);
    }
    failed ||= faults.length > 0;
}
if (number === 0) {
    console.log(`not ok 1 no reply is listed in ${folder}`);
    failed = true;
} else {
    console.log(`1..${number}`);
}
process.exit(failed ? 1 : 0);
