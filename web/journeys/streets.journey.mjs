// Streets of the operator's file below the shops: on a site of its own whose settings name a file that is made here.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { byTest, launch, openContext, openPage, settled, VIEWPORTS, WAIT_MS } from "./browser.mjs";
import { openOwnSite } from "./ownSite.mjs";
import { makeTilesFile } from "./tilesFile.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TILES = "/tiles/map.pmtiles";

/** A shop of the demo data, in GCJ-02, and the same place in WGS-84, as OpenStreetMap has it. */
const SHOP = { id: 1, x: 120.152902, y: 30.311073 };
const SHOP_WGS84 = [120.148185, 30.313385];
/** A map that shows a chosen shop has this scale, and the shop in its middle. */
const METRES_PER_PIXEL = 4;

const COLOURS = {
  light: { fast: [255, 223, 174], water: [185, 220, 234], land: [251, 238, 227] },
  dark: { fast: [107, 83, 48], water: [28, 57, 71], land: [47, 38, 32] },
};

/** A highway through the shop, water to the north of it, and a place in the country far from every demo city. */
function features() {
  const [x, y] = SHOP_WGS84;
  const named = (zh, en) => ({ name: zh, "name:en": en });
  const box = (west, south, east, north) => [[west, south], [east, south], [east, north], [west, north]];
  return [
    { layer: "roads", type: "line", properties: { kind: "highway", ...named("上塘高架", "Shangtang Viaduct") }, points: [[x - 0.02, y], [x + 0.02, y]] },
    { layer: "roads", type: "line", properties: { kind: "major_road", ...named("大关路", "Daguan Road") }, points: [[x + 0.004, y - 0.02], [x + 0.004, y + 0.02]] },
    { layer: "roads", type: "line", properties: { kind: "minor_road", ...named("香积寺路", "Xiangjisi Road") }, points: [[x - 0.02, y - 0.0015], [x + 0.02, y - 0.0015]] },
    { layer: "roads", type: "line", properties: { kind: "rail" }, points: [[x - 0.02, y - 0.004], [x + 0.02, y - 0.003]] },
    { layer: "water", type: "polygon", properties: { kind: "lake" }, points: box(x - 0.003, y + 0.0012, x + 0.003, y + 0.0025) },
    { layer: "landuse", type: "polygon", properties: { kind: "park" }, points: box(x - 0.003, y - 0.004, x - 0.0005, y - 0.002) },
    { layer: "buildings", type: "polygon", properties: {}, points: box(x - 0.002, y - 0.001, x - 0.001, y - 0.0003) },
    { layer: "places", type: "point", properties: { kind: "neighbourhood", ...named("德胜新村", "Desheng") }, points: [[x - 0.0015, y - 0.003]] },
  ];
}

let browser;
let folder;
let site;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "tandian-streets."));
  const file = path.join(folder, "city.pmtiles");
  const [x, y] = SHOP_WGS84;
  await writeFile(file, makeTilesFile({ minZoom: 11, maxZoom: 15, bounds: [x - 0.02, y - 0.02, x + 0.02, y + 0.02], features: features() }));
  [browser, site] = await Promise.all([launch(), openOwnSite({ TANDIAN_MAP__TILES_FILE: file })]);
});
after(async () => {
  await Promise.all([browser?.close(), site?.close()]);
  await rm(folder, { recursive: true, force: true });
});

for (const size of ["phone", "desktop"]) {
  for (const colorScheme of ["light", "dark"]) {
    test(`on a ${size}, ${colorScheme}, a shop stands on its street`, async (t) => {
      const { page, problems } = await open(t, { ...VIEWPORTS[size], colorScheme, bypassCSP: true });
      await page.goto(`/map?shop=${SHOP.id}`);
      await settled(page);
      await painted(page, 0, 0, COLOURS[colorScheme].fast);
      // North of it, on the screen as on the ground.
      await painted(page, 0, -200 / METRES_PER_PIXEL, COLOURS[colorScheme].water);
      await painted(page, 0, 30 / METRES_PER_PIXEL, COLOURS[colorScheme].land);
      const credit = byTest(page, "map-credit").getByRole("link", { name: "© OpenStreetMap" });
      await credit.waitFor();
      assert.ok(await isUncovered(credit), "who made the map can be read and pressed");
      assert.deepEqual(await graveFindings(page), []);
      assert.deepEqual(problems, []);
    });
  }
}

test("shops on the streets are chosen by a press, and the map is dragged over them", async (t) => {
  const { page, problems } = await open(t, VIEWPORTS.desktop);
  await page.goto(`/map?shop=${SHOP.id}`);
  await settled(page);
  await painted(page, 0, 0, COLOURS.light.fast);
  for (const marker of await page.locator("[data-test=marker]:not(.many)").all()) {
    if (await isUncovered(marker)) {
      await marker.click();
      break;
    }
  }
  await page.waitForURL((url) => url.searchParams.get("shop") !== String(SHOP.id));
  await byTest(page, "chosen").waitFor();
  const { x, y, width, height } = await byTest(page, "map").boundingBox();
  await page.mouse.move(x + width / 2 + 60, y + height / 2 + 60);
  await page.mouse.down();
  await page.mouse.move(x + width / 2 + 60, y + height / 2 + 110, { steps: 4 });
  await page.mouse.up();
  await painted(page, 0, 50, COLOURS.light.fast);
  assert.deepEqual(problems, []);
});

test("the theme changes the streets at once", async (t) => {
  const { page } = await open(t, { ...VIEWPORTS.phone, colorScheme: "light" });
  await page.goto(`/map?shop=${SHOP.id}`);
  await painted(page, 0, 0, COLOURS.light.fast);
  await page.emulateMedia({ colorScheme: "dark" });
  await painted(page, 0, 0, COLOURS.dark.fast);
});

test("where tiles cannot be read the drawn ground stays and the failure is said; a press brings the streets", async (t) => {
  const { page } = await open(t, VIEWPORTS.phone);
  await page.route(`**${TILES}`, (route) => route.abort());
  await page.goto(`/map?shop=${SHOP.id}`);
  await byTest(page, "streets-failed").waitFor();
  await byTest(page, "ground").waitFor();
  assert.ok((await byTest(page, "marker").count()) > 0);
  await page.unroute(`**${TILES}`);
  await byTest(page, "streets-failed").getByRole("button").click();
  await painted(page, 0, 0, COLOURS.light.fast);
  await byTest(page, "streets-failed").waitFor({ state: "detached" });
});

test("without a network the page says so, and goes on by itself when it is back", async (t) => {
  const { context, page } = await open(t, VIEWPORTS.phone);
  // The map's code is there, its tiles are not.
  await page.route(`**${TILES}`, (route) => route.abort());
  await page.goto(`/map?shop=${SHOP.id}`);
  await byTest(page, "streets-failed").waitFor();
  await page.unroute(`**${TILES}`);
  await context.setOffline(true);
  await byTest(page, "offline").waitFor();
  await context.setOffline(false);
  await painted(page, 0, 0, COLOURS.light.fast);
});

test("a place that the file shows has a map, although no ground is drawn there", async (t) => {
  const { page, problems } = await open(t, VIEWPORTS.phone);
  await page.goto("/map?at=116.4,39.9");
  await byTest(page, "unmapped").waitFor();
  await page.route("**/api/site", async (route) => {
    const response = await route.fetch();
    const json = await response.json();
    json.data.map.bounds = { west: 116, south: 39.6, east: 116.8, north: 40.2 };
    await route.fulfill({ response, json });
  });
  await page.reload();
  await settled(page);
  await byTest(page, "map").waitFor();
  await byTest(page, "map-credit").waitFor();
  assert.equal(await byTest(page, "unmapped").count(), 0);
  assert.deepEqual(problems, []);
});

test("only the map reads the file, and only parts of it", async (t) => {
  const { page } = await open(t, VIEWPORTS.phone);
  const asked = [];
  page.on("request", (request) => asked.push(request));
  await page.goto("/");
  await settled(page);
  const ofStreets = () => asked.filter((request) => /tiles|engine/.test(new URL(request.url()).pathname));
  assert.deepEqual(ofStreets().map((request) => request.url()), []);
  await page.goto(`/map?shop=${SHOP.id}`);
  await painted(page, 0, 0, COLOURS.light.fast);
  const parts = ofStreets().filter((request) => request.url().endsWith(TILES));
  assert.ok(parts.length > 1);
  for (const request of parts) assert.match(request.headers()["range"], /^bytes=\d+-\d+$/);
});

async function open(t, options) {
  const context = await openContext(browser, { ...options, baseURL: site.url });
  t.after(() => context.close());
  return { context, ...(await openPage(context)) };
}

/** Waits until the streets have this colour, so many pixels right of and below the middle of the map. */
async function painted(page, right, below, colour) {
  const look = ([right, below, colour]) => {
    const canvas = document.querySelector("[data-test=streets]");
    if (canvas === null || canvas.width < 10) return false;
    const ratio = canvas.width / canvas.clientWidth;
    const [x, y] = [canvas.width / 2 + right * ratio, canvas.height / 2 + below * ratio].map(Math.round);
    const found = [...canvas.getContext("2d").getImageData(x, y, 1, 1).data];
    globalThis.foundColour = found.join();
    return found[3] === 255 && colour.every((part, at) => Math.abs(part - found[at]) <= 2);
  };
  await page.waitForFunction(look, [right, below, colour], { timeout: WAIT_MS }).catch(async () => {
    const found = await page.evaluate(() => globalThis.foundColour);
    assert.fail(`${right},${below} of the middle should be ${colour} and is ${found}`);
  });
}

async function isUncovered(locator) {
  return locator.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });
}

async function graveFindings(page) {
  await page.evaluate(AXE);
  const violations = await page.evaluate(async () => (await globalThis.axe.run(document)).violations);
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(({ id, nodes }) => `${id}: ${nodes[0].html}`);
}
