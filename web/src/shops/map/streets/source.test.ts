import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { makeTilesFile, type TestFeature } from "../../../../journeys/tilesFile.mjs";
import { openStreets } from "./source";
import { mercatorOf, type TileId } from "./tiles";
import { recordPaths, serveFile, textOf } from "./testing";

const BOUNDS = [120.1, 30.3, 120.2, 30.36] as const;
const MIDDLE = { x: 120.15, y: 30.33 };
/** Half a tile of zoom 14 to the east. */
const EAST = { x: MIDDLE.x + 180 / 2 ** 14, y: MIDDLE.y };
const road = (kind: string, name: string): TestFeature => ({
  layer: "roads",
  type: "line",
  properties: { kind, name, "name:en": `${name} (en)` },
  points: [[MIDDLE.x, MIDDLE.y], [EAST.x, EAST.y]],
});
const FEATURES: TestFeature[] = [
  road("major_road", "文一路"),
  { layer: "water", type: "polygon", properties: { kind: "lake" }, points: [[120.14, 30.32], [120.15, 30.32], [120.15, 30.33]] },
  { layer: "landuse", type: "polygon", properties: { kind: "park" }, points: [[120.14, 30.32], [120.15, 30.32], [120.15, 30.33]] },
  { layer: "landuse", type: "polygon", properties: { kind: "industrial" }, points: [[120.1, 30.3], [120.2, 30.3], [120.2, 30.4]] },
  { layer: "boundaries", type: "line", properties: { kind: "country" }, points: [[120.1, 30.3], [120.2, 30.4]] },
  { layer: "places", type: "point", properties: { kind: "neighbourhood", name: "古荡", "name:en": "Gudang" }, points: [[MIDDLE.x, MIDDLE.y]] },
];

function tileAt({ x, y }: { x: number; y: number }, z: number): TileId {
  const place = mercatorOf({ x, y });
  return { z, x: Math.floor(place.x * 2 ** z), y: Math.floor(place.y * 2 ** z) };
}

const TILE = tileAt(MIDDLE, 14);
const signal = () => new AbortController().signal;
const file = (features: TestFeature[], gzip = true) => makeTilesFile({ minZoom: 12, maxZoom: 14, bounds: BOUNDS, features, gzip });

beforeEach(recordPaths);
afterEach(() => vi.unstubAllGlobals());

test.each([true, false])("streets, water, parks and names are read (gzip: %s)", async (gzip) => {
  serveFile({ content: file(FEATURES, gzip), tag: '"1"' });
  const source = openStreets();
  expect(await source.zooms()).toMatchObject({ minZoom: 12, maxZoom: 14 });
  const tile = await source.read(TILE, signal());
  const place = mercatorOf(MIDDLE);
  const [x, y] = [(place.x * 2 ** 14 - TILE.x) * 4096, (place.y * 2 ** 14 - TILE.y) * 4096].map(Math.round);
  expect(tile && textOf(tile.roads.main)).toBe(`M${x} ${y}L${(x ?? 0) + 2048} ${y}`);
  expect(tile && textOf(tile.roads.fast)).toBe("");
  expect(tile && textOf(tile.surfaces.water)).toMatch(/^M.*L.*L.*Z$/);
  expect(tile && textOf(tile.surfaces.park)).toBe(tile && textOf(tile.surfaces.water));
  const names = tile?.labels.map(({ kind, name }) => [kind, ...name]);
  expect(names).toContainEqual(["area", "古荡", "Gudang"]);
});

test("a street's name stands along its longest straight part", async () => {
  serveFile({ content: file([{ ...road("highway", "环线"), points: [[120.1485, 30.33], [120.1485, 30.331], [120.152, 30.331]] }]), tag: '"1"' });
  const tiles = await Promise.all([-1, 0, 1].map((by) => openStreets().read({ ...TILE, x: TILE.x + by }, signal())));
  const [label] = tiles.flatMap((tile) => tile?.labels ?? []);
  expect(label).toMatchObject({ kind: "road", name: ["环线", "环线 (en)"], angle: 0 });
});

test("where the file has no tile there is none", async () => {
  serveFile({ content: file(FEATURES), tag: '"1"' });
  const source = openStreets();
  expect(await source.read({ ...TILE, x: TILE.x + 100 }, signal())).toBeUndefined();
  expect(await source.read({ z: 3, x: 0, y: 0 }, signal())).toBeUndefined();
});

test("only parts are asked for, and each directory once", async () => {
  const ranges = serveFile({ content: file(FEATURES), tag: '"1"' });
  const source = openStreets();
  await source.read(TILE, signal());
  await source.read({ ...TILE, y: TILE.y - 1 }, signal());
  expect(ranges[0]).toBe("bytes=0-16383");
  expect(ranges).toHaveLength(3);
});

test("after a failure the file is read again, from its start", async () => {
  const served = { content: file(FEATURES), tag: '"1"', isDown: true };
  serveFile(served);
  const source = openStreets();
  await expect(source.zooms()).rejects.toThrow();
  await expect(source.read(TILE, signal())).rejects.toThrow();
  served.isDown = false;
  expect(await source.read(TILE, signal())).toBeDefined();
});

test("a file that was replaced is begun anew", async () => {
  const served = { content: file(FEATURES), tag: '"1"' };
  serveFile(served);
  const source = openStreets();
  await source.read(TILE, signal());
  Object.assign(served, { content: file([road("highway", "新路"), road("major_road", "另一条")]), tag: '"2"' });
  const tile = await source.read(TILE, signal());
  expect(tile && textOf(tile.roads.fast)).not.toBe("");
});

test("what is no tile is a failure and nothing else", async () => {
  const content = file(FEATURES, false);
  content.fill(0xff, 300);
  serveFile({ content, tag: '"1"' });
  await expect(openStreets().read(TILE, signal())).rejects.toThrow();
});
