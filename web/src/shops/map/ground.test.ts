import { expect, test } from "vitest";
import { CITIES } from "@/shops/place";
import { GROUND_BOUNDS, groundCityOf, loadGround } from "./ground";
import { curveOf, groundTransform } from "./groundPaths";
import { apart } from "./names";
import { toPixel } from "./view";

test("every city has a ground that holds its middle, and nothing of it lies outside", async () => {
  for (const { id, point } of CITIES) {
    expect(groundCityOf(point)).toBe(id);
    const [west, south, east, north] = GROUND_BOUNDS[id];
    const { lakes, parks, rivers, roads, names } = await loadGround(id);
    const spots = [...lakes.flat(), ...parks.flat(), ...rivers.flatMap(({ line }) => line), ...roads.flatMap(({ line }) => line), ...names.map(({ at }) => at)];
    for (const [x, y] of spots) {
      expect(x).toBeGreaterThanOrEqual(west);
      expect(x).toBeLessThanOrEqual(east);
      expect(y).toBeGreaterThanOrEqual(south);
      expect(y).toBeLessThanOrEqual(north);
    }
  }
});

test("outside of the cities there is none", () => {
  expect(groundCityOf({ x: 116.4, y: 39.9 })).toBeUndefined();
  expect(groundCityOf({ x: 0, y: 0 })).toBeUndefined();
});

test("a curve goes through its points, and a closed one returns", () => {
  const line = [[120, 30], [120.01, 30], [120.01, 30.01]] as const;
  expect(curveOf(line, [120, 30])).toMatch(/^M0 0C.* 1000 0C.* 1000 -1000$/);
  expect(curveOf(line, [120, 30], true)).toMatch(/^M0 0C.* 1000 0C.* 1000 -1000C.* 0 0Z$/);
});

test("a path is drawn where the map shows its points", () => {
  const view = { centre: { x: 120.15, y: 30.3 }, metresPerPixel: 7 };
  const size = { width: 400, height: 300 };
  const [a, , , d, e, f] = (/\((.*)\)/.exec(groundTransform(view, size, [120, 30.2]))?.[1] ?? "").split(" ").map(Number);
  const at = toPixel(view, size, { x: 120.17, y: 30.31 });
  expect((a ?? 0) * 17_000 + (e ?? 0)).toBeCloseTo(at.left, 3);
  expect((d ?? 0) * -11_000 + (f ?? 0)).toBeCloseTo(at.top, 3);
});

test("names that would run into an earlier one are left out", () => {
  const names = [
    { left: 0, top: 0 },
    { left: 30, top: 0 },
    { left: 90, top: 0 },
  ];
  expect(apart(names, 50)).toEqual([names[0], names[2]]);
});
