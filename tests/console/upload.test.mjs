// SPDX-License-Identifier: MIT
// Copyright (c) 2026 The navmeshd authors
//
// upload.test.mjs: a level that is dropped on the page becomes a version, with the bake shown as it
// goes; the form has the daemon's settings and sends what was changed; what the daemon refuses is said
// beside its setting, with a button that does what it suggests.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before } from "node:test";

import { ask, assertAccessible, fileOf, hold, level, openPage, quick, settled, shot, startBrowser, startDaemon, test, upload } from "./helper.mjs";

let browser, daemon, town;

before(async () => {
    // One thread bakes, so that the page that watches has the other core.
    [browser, daemon] = await Promise.all([startBrowser({ picture: false }), startDaemon("--workers", "1")]);
    town = level("town", 1);
});

after(async () => {
    await browser?.close();
    await daemon?.stop();
});

const button = (page, name) => page.getByRole("button", { name });
const versions = async (mesh) => (await ask(daemon, "GET", `/v1/meshes/${mesh}`)).versions;

// Drops files on the middle of the page, as the system's file manager does.
async function drop(page, files) {
    const data = await page.evaluateHandle((list) => {
        const transfer = new DataTransfer();
        for (const [name, text] of list) {
            transfer.items.add(new File([text], name));
        }
        return transfer;
    }, files);
    for (const type of ["dragenter", "dragover", "drop"]) {
        await page.dispatchEvent("body", type, { dataTransfer: data });
    }
}

async function open(page, group) {
    const details = page.locator("details", { has: page.locator("summary", { hasText: group }) });
    if (!(await details.evaluate((each) => each.open))) {
        await details.locator("summary").click();
    }
}

quick("a level that is dropped anywhere is uploaded under its name and looked at", async () => {
    const { page, close } = await openPage(browser, daemon);
    await page.getByText("There is no mesh yet").waitFor();
    await drop(page, [["small town.obj", town]]);
    await page.getByRole("list", { name: "What is uploaded" }).getByText("small town.obj").waitFor();
    await page.getByLabel("radius").waitFor();
    await page.getByLabel("radius").fill("0.4");
    await assertAccessible(page, "upload");
    await shot(page, "upload");
    await button(page, "Upload and bake").click();
    await page.getByRole("status").getByText("Version 1 of small_town is ready and live.").waitFor();
    await page.locator(".place", { hasText: "small_town, version 1" }).waitFor();
    const [version] = await versions("small_town");
    assert.equal(version.config.agent.radius, 0.4);
    assert.equal(version.geometry.triangles, 172);
    await assertAccessible(page, "an upload that is done");
    await shot(page, "uploaded");
    await close();
});

test("a level that is dropped on another mesh is no version of that one unless the user says so", async () => {
    await upload(daemon, "home", town);
    const { page, close } = await openPage(browser, daemon, "/#/home/1");
    await page.locator(".place", { hasText: "home, version 1" }).waitFor();
    await drop(page, [["mill.obj", town]]);
    const name = page.getByLabel("Name of the mesh");
    await page.getByRole("list", { name: "What is uploaded" }).getByText("mill.obj").waitFor();
    assert.equal(await name.inputValue(), "mill");
    await button(page, "Make it the next version of home").click();
    assert.equal(await name.inputValue(), "home");
    assert.equal(await button(page, /next version of/).count(), 0);
    await close();
});

test("several files are parts of one level, and a file of settings fills the form", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    const input = page.getByLabel("Files of the level");
    const settings = JSON.stringify({ cell_size: 0.25, areas: { ground: {}, mud: { cost: 4 } } });
    await input.setInputFiles([fileOf(daemon, "west.obj", town), fileOf(daemon, "east.obj", town), fileOf(daemon, "set.json", settings)]);
    await page.getByLabel("Where the parts stand").fill('[{"name":"east","translate":[300,0,0]}]');
    await page.getByLabel("Name of the mesh").fill("two");
    assert.equal(await page.getByLabel("cell size").inputValue(), "0.25");
    await button(page, "Upload and bake").click();
    await page.getByRole("status").getByText("Version 1 of two is ready and live.").waitFor();
    const [version] = await versions("two");
    assert.deepEqual(version.geometry.parts.map((part) => part.name), ["west", "east"]);
    assert.deepEqual([version.config.cell_size, version.config.areas.mud.cost], [0.25, 4]);
    await close();
});

test("the bake is shown by stage and tile while it goes, and can be cancelled", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.getByLabel("Files of the level").setInputFiles(fileOf(daemon, "large.obj", level("town", 20)));
    await open(page, "Voxels and units");
    await page.getByLabel("cell size").fill("0.1");
    await page.getByLabel("tile cells").fill("64");
    await button(page, "Upload and bake").click();
    const bar = page.getByLabel("How far the bake is");
    await bar.waitFor();
    await page.getByText(/^\d[\d,]* of [\d,]+ tiles$/).waitFor();
    await page.waitForFunction(() => document.querySelector("progress").value > 0.02);
    await page.locator(".place", { hasText: "large, version 1" }).waitFor();
    await assertAccessible(page, "a bake");
    await shot(page, "bake");
    await button(page, "Cancel the bake").click();
    await page.getByText("The bake of version 1 was cancelled.").waitFor();
    assert.equal((await versions("large"))[0].state, "cancelled");
    await close();
});

test("the form has every setting of the daemon with its default, and takes none out of bounds", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.getByLabel("radius").waitFor();
    const { components } = await ask(daemon, "GET", "/openapi.json");
    const names = Object.entries(components.schemas.Settings.properties).flatMap(([name, each]) =>
        each.properties === undefined ? [name] : Object.keys(each.properties).map((member) => `${name}.${member}`),
    );
    const shown = await page.locator("[data-setting]").evaluateAll((list) => list.map((each) => each.dataset.setting));
    assert.deepEqual(names.filter((name) => !shown.includes(name)), []);
    assert.equal(await page.getByLabel("max climb").getAttribute("placeholder"), "0.9");
    await page.getByLabel("Files of the level").setInputFiles(fileOf(daemon, "town.obj", town));
    await page.getByLabel("max slope").fill("95");
    await open(page, "Areas, places and agents");
    await page.getByLabel("volumes", { exact: true }).fill("[{");
    await button(page, "Upload and bake").click();
    await page.getByText("agent.max_slope has to lie between 0 and 89.999.").waitFor();
    await page.getByText("volumes has to be JSON").waitFor();
    await assertAccessible(page, "settings that mean nothing");
    assert.deepEqual((await ask(daemon, "GET", "/v1/meshes")).meshes.filter((each) => each.mesh === "town"), []);
    await close();
});

test("a refusal stands beside its setting, and its suggestion is a button", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.getByLabel("Files of the level").setInputFiles(fileOf(daemon, "town.obj", town));
    await open(page, "Areas, places and agents");
    await page.getByLabel("volumes", { exact: true }).fill('[{"shape":"bix","min":[0,0,0],"max":[1,1,1],"area":"none"}]');
    await button(page, "Upload and bake").click();
    await button(page, "Use box").waitFor();
    await page.getByText("The level was not taken. What to change stands beside the setting.").waitFor();
    await assertAccessible(page, "a refusal");
    await shot(page, "refusal");
    await button(page, "Use box").click();
    await open(page, "As JSON");
    await page.getByLabel("more settings").fill('{"walkableClimb": 0.4}');
    await button(page, "Upload and bake").click();
    await button(page, "Use agent.max_climb").click();
    assert.equal(await page.getByLabel("max climb").inputValue(), "0.4");
    await open(page, "Voxels and units");
    await page.getByLabel("cell size").fill("0.00001");
    await button(page, "Upload and bake").click();
    await button(page, /^Use 0\.0/).click();
    await page.getByLabel("cell size").fill("0.3");
    await button(page, "Upload and bake").click();
    await page.getByRole("status").getByText("Version 1 of town is ready and live.").waitFor();
    const [version] = await versions("town");
    assert.deepEqual([version.config.agent.max_climb, version.config.volumes[0].shape], [0.4, "box"]);
    await close(/422/);
});

test("a version is baked again from what is stored, with its settings in the form", async () => {
    await upload(daemon, "again", town, { agent: { radius: 0.5 } });
    const { page, close } = await openPage(browser, daemon, "/#/again/1");
    await button(page, "Bake again with other settings").click();
    await page.getByText("the level of again, version 1").waitFor();
    assert.equal(await page.getByLabel("radius").inputValue(), "0.5");
    assert.equal(await page.getByLabel("max climb").inputValue(), "");
    await page.getByLabel("max climb").fill("0.3");
    await button(page, "Upload and bake").click();
    await page.getByRole("status").getByText("Version 2 of again is ready and live.").waitFor();
    const version = (await versions("again"))[1];
    assert.deepEqual([version.config.agent.radius, version.config.agent.max_climb, version.geometry.triangles], [0.5, 0.3, 172]);
    await close();
});

test("a bake that checks refuse is watched, and is said to be stored and not live", async () => {
    await ask(daemon, "PUT", "/v1/meshes/held/checks", { checks: [{ name: "vast", min_walkable_area: 1e9 }] });
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.getByLabel("Files of the level").setInputFiles(fileOf(daemon, "held.obj", level("town", 6)));
    await page.getByLabel("Name of the mesh").fill("held");
    await open(page, "Options");
    await page.getByLabel("Refuse it if it fails checks").check();
    await open(page, "Voxels and units");
    await page.getByLabel("cell size").fill("0.1");
    await button(page, "Upload and bake").click();
    await page.getByLabel("How far the bake is").waitFor();
    await page.getByText("Version 1 of held is stored, and not live.").waitFor();
    await page.getByText(/check "vast" failed/).waitFor();
    assert.equal((await ask(daemon, "GET", "/v1/meshes/held")).active, null);
    await close(/404|409/);
});

test("a recording that is chosen as a level is told what it is for, and what came with it is told, too", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.getByLabel("Files of the level").setInputFiles(fileOf(daemon, "stuck.navrec", "NAVR"));
    await page.getByRole("status").getByText("stuck.navrec: a recording is no level.").waitFor();
    await drop(page, [["yard.obj", town], ["late.navrec", "NAVR"], ["set.json", '{"cell_size": 0.25}']]);
    for (const sentence of ["1 file to upload: yard.obj.", "The settings are in the form.", "late.navrec: a recording is no level."]) {
        await page.getByRole("status").getByText(sentence).waitFor();
    }
    await close();
});

test("bytes that are no level are refused in words", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    const picture = fileOf(daemon, "picture.obj", readFileSync("/proc/self/exe").subarray(0, 64));
    await button(page, "Upload and bake").click();
    await page.getByText("Choose a level first.").waitFor();
    await page.getByLabel("Files of the level").setInputFiles(picture);
    await button(page, "Upload and bake").click();
    await page.getByRole("alert").getByText("The level was not taken.").waitFor();
    await shot(page, "no_level");
    await close(/4\d\d/);
});

test("a refusal that comes when its panel is left is said all the same", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.getByLabel("radius").waitFor();
    await page.getByLabel("Files of the level").setInputFiles(fileOf(daemon, "left.obj", "no level at all"));
    const late = await hold(page, "**/v1/meshes/left/versions");
    await button(page, "Upload and bake").click();
    await late.held;
    await page.locator(".tabs [data-panel=recordings]").click();
    await page.getByText("Nothing is recorded yet.").waitFor();
    await late.release();
    await page.getByRole("alert").getByText(/left\.obj|OBJ|triangle|geometry/i).waitFor();
    await close(/4\d\d/);
});

test("a stream of a bake that breaks off is taken up again, or the version tells its end", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.route("**/v1/meshes/broken/versions/1/events", (route) => route.fulfill({ status: 200, contentType: "text/event-stream", body: "" }), { times: 2 });
    await page.getByLabel("radius").waitFor();
    await page.getByLabel("Files of the level").setInputFiles(fileOf(daemon, "broken.obj", level("town", 6)));
    await open(page, "Voxels and units");
    await page.getByLabel("cell size").fill("0.1");
    await button(page, "Upload and bake").click();
    await page.getByRole("status").getByText("Version 1 of broken is ready and live.").waitFor();
    assert.ok(await button(page, "Upload and bake").isEnabled());
    await close();
});

test("what was accepted of one level is not accepted of the next, which is no second part of it", async () => {
    const centimetres = level("city", 2).replace(/^v .*$/gm, (line) => ["v", ...line.split(" ").slice(1).map((each) => 100 * each)].join(" "));
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.getByLabel("radius").waitFor();
    const input = page.getByLabel("Files of the level");
    await input.setInputFiles(fileOf(daemon, "vast.obj", centimetres));
    await button(page, "Upload and bake").click();
    await button(page, "Bake it as it is").click();
    await button(page, "Cancel the bake").click();
    await page.getByText("The bake of version 1 was cancelled.").waitFor();
    await input.setInputFiles(fileOf(daemon, "vaster.obj", centimetres));
    assert.equal(await page.getByRole("list", { name: "What is uploaded" }).getByRole("listitem").count(), 1);
    await button(page, "Upload and bake").click();
    await button(page, "Bake it as it is").waitFor();
    assert.equal((await versions("vast")).length, 1);
    await close(/422/);
});

test("a warning that is known before the bake ends stands open beside it, with its way out, and stays when it is cancelled", async () => {
    const centimetres = level("city", 2).replace(/^v .*$/gm, (line) => ["v", ...line.split(" ").slice(1).map((each) => 100 * each)].join(" "));
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.getByLabel("radius").waitFor();
    await page.getByLabel("Files of the level").setInputFiles(fileOf(daemon, "wide.obj", centimetres));
    await button(page, "Upload and bake").click();
    await button(page, "Bake it as it is").click();
    const told = async () => {
        await page.getByText(/most steps and walls are .* centimetres\?/).waitFor();
        await button(page, "Bake again with scale=0.01").waitFor();
    };
    await page.getByLabel("How far the bake is").waitFor();
    await told();
    await assertAccessible(page, "a bake with a warning");
    await shot(page, "bake_warning");
    await page.getByRole("link", { name: "Meshes" }).click();
    await page.getByLabel("How far the bake is").waitFor();
    await told();
    await button(page, "Cancel the bake").click();
    await page.getByText("Its bake was cancelled.").waitFor();
    await told();
    await page.getByRole("link", { name: "Ask" }).click();
    await page.getByLabel("Start", { exact: true }).fill("1,0,1");
    await page.getByLabel("End", { exact: true }).fill("2,0,2");
    await page.getByLabel("End", { exact: true }).press("Enter");
    await page.locator(".answer").getByText("Version 1 of mesh 'wide' is cancelled. It has no mesh, and waiting gives it none").waitFor();
    await page.getByRole("link", { name: "Meshes" }).click();
    await button(page, "Bake again with scale=0.01").click();
    await page.getByRole("status").getByText("The level and the settings of version 1 are in the form.").waitFor();
    assert.equal(await page.getByLabel("scale", { exact: true }).inputValue(), "0.01");
    await close(/4\d\d/);
});

test("a level that is chosen after one that was refused takes its place, its name and its error", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.getByLabel("radius").waitFor();
    const input = page.getByLabel("Files of the level");
    await input.setInputFiles(fileOf(daemon, "not_a_level.obj", "no level at all"));
    await button(page, "Upload and bake").click();
    await page.getByRole("alert").getByText("The level was not taken.").waitFor();
    await input.setInputFiles(fileOf(daemon, "sound.obj", town));
    await page.getByRole("list", { name: "What is uploaded" }).getByText("sound.obj").waitFor();
    assert.equal(await page.getByRole("list", { name: "What is uploaded" }).getByRole("listitem").count(), 1);
    assert.equal(await page.getByLabel("Name of the mesh").inputValue(), "sound");
    assert.equal(await page.getByText("The level was not taken.").count(), 0);
    await input.setInputFiles(fileOf(daemon, "east.obj", town));
    await page.getByText("as part east").waitFor(); // one more of a level that nobody refused
    await close(/4\d\d/);
});

test("a level that is chosen while one is uploaded is no part of it, and is not refused with it", async () => {
    const { page, close } = await openPage(browser, daemon, "/#/?panel=upload");
    await page.getByLabel("radius").waitFor();
    let answer;
    let posts = 0;
    const gate = new Promise((resolve) => (answer = resolve));
    await page.route("**/versions**", async (route) => {
        posts++;
        await gate;
        await route.fulfill({ status: 422, contentType: "application/problem+json", body: '{"code":"units_suspect","detail":"the level is tiny"}' });
    });
    const input = page.getByLabel("Files of the level");
    const files = page.getByRole("list", { name: "What is uploaded" }).getByRole("listitem");
    await input.setInputFiles(fileOf(daemon, "first.obj", town));
    await files.getByText("first.obj").waitFor();
    await Promise.all([page.waitForRequest("**/v1/meshes/first/versions**"), button(page, "Upload and bake").click()]);
    await input.setInputFiles(fileOf(daemon, "second.obj", town));
    await files.getByText("second.obj").waitFor();
    assert.equal(await files.count(), 1);
    assert.equal(await page.getByLabel("Name of the mesh").inputValue(), "second");
    answer();
    await button(page, "Bake it as it is").click(); // which is not the level that was chosen since
    await settled(page);
    assert.equal(posts, 1);
    await close(/422/);
});
