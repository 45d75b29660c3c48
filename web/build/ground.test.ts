// Compares the map's hand-drawn ground with the quarters in which the demo data puts shops. It reads the demo crate, so it is
// no part of the web app.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import chengdu from "../src/shops/map/ground/chengdu.ts";
import hangzhou from "../src/shops/map/ground/hangzhou.ts";
import shanghai from "../src/shops/map/ground/shanghai.ts";
import type { Ground, Spot } from "../src/shops/map/ground/types.ts";

const GROUNDS: Record<string, Ground> = { 杭州: hangzhou, 上海: shanghai, 成都: chengdu };
const METRES_PER_DEGREE = [96_000, 111_200] as const;
const PLACE = /\("(?<city>[^"]+)", "(?<district>[^"]+)", "(?<area>[^"]+)"\),\s+\((?<x>[\d.]+), (?<y>[\d.]+)\),\s+(?<radius>[\d.]+),/g;

const source = readFileSync(path.resolve(import.meta.dirname, "../../crates/demo/src/shops/places.rs"), "utf8");
const places = [...source.matchAll(PLACE)].map(({ groups }) => {
  const { city = "", district = "", area = "", x, y, radius } = groups ?? {};
  return { city, district, area, at: [Number(x), Number(y)] as const, radius: Number(radius) };
});

function metres(from: Spot, to: Spot): readonly [number, number] {
  return [(to[0] - from[0]) * METRES_PER_DEGREE[0], (to[1] - from[1]) * METRES_PER_DEGREE[1]];
}

/** From a spot to the nearest point of a line. */
function distanceTo(line: readonly Spot[], spot: Spot): number {
  const distances = line.slice(1).map((end, at) => {
    const start = line[at] ?? end;
    const [dx, dy] = metres(start, end);
    const [px, py] = metres(start, spot);
    const share = Math.min(1, Math.max(0, (px * dx + py * dy) / (dx * dx + dy * dy)));
    return Math.hypot(px - share * dx, py - share * dy);
  });
  return Math.min(...distances);
}

function isInside(shore: readonly Spot[], [x, y]: Spot): boolean {
  return shore.reduce((inside, [x1, y1], at) => {
    const [x0, y0] = shore.at(at - 1) ?? [x1, y1];
    const crosses = y1 > y !== y0 > y && x < ((x0 - x1) * (y - y1)) / (y0 - y1) + x1;
    return crosses ? !inside : inside;
  }, false);
}

test("the quarters of the demo shops are read", () => {
  expect(places.length).toBeGreaterThan(30);
  expect(new Set(places.map(({ city }) => city))).toEqual(new Set(Object.keys(GROUNDS)));
});

test.each(places)("$city $area is on dry land", ({ city, at, radius }) => {
  const ground = GROUNDS[city];
  for (const { widthMetres, line } of ground?.rivers ?? []) expect(distanceTo(line, at)).toBeGreaterThan(radius + widthMetres / 2);
  for (const shore of ground?.lakes ?? []) {
    expect(isInside(shore, at)).toBe(false);
    expect(distanceTo([...shore, ...shore.slice(0, 1)], at)).toBeGreaterThan(radius);
  }
});

test.each(places)("the district of $city $area has its name on the map", ({ city, district }) => {
  expect(GROUNDS[city]?.names.map(({ name }) => name[0])).toContain(district);
});

test.each(Object.entries(GROUNDS))("the roads of %s do not end in a lake", (_city, { roads, lakes }) => {
  for (const { line } of roads) for (const end of [line.at(0), line.at(-1)]) for (const shore of lakes) expect(end && isInside(shore, end)).toBe(false);
});
