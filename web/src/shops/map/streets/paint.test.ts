import { beforeEach, expect, test, vi } from "vitest";
import type { Label, StreetTile } from "./decode";
import { paint, type Palette, type Piece } from "./paint";
import { RecordedPath, recordingCanvas, recordPaths } from "./testing";

const PALETTE = new Proxy({}, { get: (_, name) => String(name) }) as Palette;
/** A tile of 512 pixels. */
const MATRIX = [512, 0, 0, 512, 0, 0] as const;

beforeEach(() => {
  vi.unstubAllGlobals();
  recordPaths();
});

function path(text: string): Path2D {
  const made = new RecordedPath();
  made.text = text;
  return made as unknown as Path2D;
}

function tileWith(labels: Label[] = []): StreetTile {
  return {
    surfaces: { park: path("parks"), water: path("waters"), building: path("buildings") },
    streams: path("streams"),
    rails: path("rails"),
    roads: { path: path("paths"), minor: path("minors"), main: path("mains"), fast: path("fasts") },
    labels,
  };
}

function painted(pieces: Piece[], metresPerPixel = 2, names: 0 | 1 = 0, taken: { left: number; top: number; right: number; bottom: number }[] = []) {
  const { context, calls } = recordingCanvas();
  paint({ context, width: 512, height: 512, ratio: 2 }, pieces, { palette: PALETTE, metresPerPixel, names, taken });
  return calls;
}

const label = (zh: string, x: number, y: number, more: Partial<Label> = {}): Label => ({ kind: "area", name: [zh, `${zh} in English`], x, y, order: 30, ...more });
const textsIn = (calls: string[]) => calls.filter((call) => call.startsWith("fillText")).map((call) => call.split(" ")[1]);

test("the background comes first, water over parks, and greater streets over lesser ones", () => {
  const calls = painted([{ tile: tileWith(), matrix: MATRIX }]);
  const drawn = calls.filter((call) => /^(fillRect|fill|stroke) /.test(call));
  expect(drawn.map((call) => call.replace(/fillRect .* /, "fillRect "))).toEqual([
    "fillRect land",
    "fill parks evenodd park",
    "fill waters evenodd water",
    "stroke streams water",
    "fill buildings evenodd building",
    "stroke paths path",
    "stroke minors casing",
    "stroke mains casing",
    "stroke fasts casing",
    "stroke rails rail",
    "stroke minors road",
    "stroke mains road",
    "stroke fasts fast",
  ]);
});

test("a coarse map leaves out what would be a blur", () => {
  const drawn = painted([{ tile: tileWith(), matrix: MATRIX }], 160).join("\n");
  expect(drawn).toContain("stroke fasts fast");
  expect(drawn).not.toMatch(/minors|mains|rails|paths|buildings/);
});

test("a tile that stands in is cut to the part it stands in for, and painted below the others", () => {
  const finer = { tile: tileWith(), matrix: MATRIX };
  const coarser = { tile: tileWith(), matrix: [2048, 0, 0, 2048, -512, 0] as const, part: { x: 0.25, y: 0, side: 0.25 } };
  const calls = painted([finer, coarser]);
  expect(calls.indexOf("rect 1024 0 1024 1024")).toBeLessThan(calls.findIndex((call) => call.startsWith("fillRect")));
  expect(calls.filter((call) => call === "clip")).toHaveLength(calls.filter((call) => call === "rect 1024 0 1024 1024").length);
  expect(calls.filter((call) => call.startsWith("setTransform"))[1]).toBe("setTransform 1 0 0 1 -1024 0");
});

test("names are in the reader's language and do not run into each other", () => {
  const tile = tileWith([label("古荡", 2048, 2048, { order: 1 }), label("翠苑", 2060, 2050, { order: 2 }), label("文新", 800, 800, { order: 3 })]);
  expect(textsIn(painted([{ tile, matrix: MATRIX }]))).toEqual(["古荡", "文新"]);
  const english = painted([{ tile, matrix: MATRIX }], 2, 1).filter((call) => call.startsWith("fillText"));
  expect(english[0]).toContain("古荡 in English");
});

test("names keep away from those of the map", () => {
  const tile = tileWith([label("古荡", 2048, 2048)]);
  const taken = [{ left: 250, top: 250, right: 270, bottom: 270 }];
  expect(textsIn(painted([{ tile, matrix: MATRIX }], 2, 0, taken))).toEqual([]);
});

test("a street is named where its name fits, once in two tiles", () => {
  const street = (x: number, length: number) => label("文一西路", x, 1000, { kind: "road", angle: Math.PI, length });
  expect(textsIn(painted([{ tile: tileWith([street(2000, 100)]), matrix: MATRIX }]))).toEqual([]);
  const calls = painted([{ tile: tileWith([street(1000, 2000), street(2000, 2000)]), matrix: MATRIX }]);
  expect(textsIn(calls)).toEqual(["文一西路"]);
  // Read from left to right although the street runs to the west.
  expect(calls).toContain("rotate 0");
});
