import { expect, test } from "vitest";
import { isInChina, siteDatumOf } from "./datum";

/** WGS-84 and what is published for it in GCJ-02. */
test.each([
  ["Beijing", { x: 116.404, y: 39.915 }, { x: 116.41024449916938, y: 39.91640428150164 }],
  ["Shanghai", { x: 121.4737, y: 31.2304 }, { x: 121.47822, y: 31.22847 }],
])("a position in %s is moved as Chinese maps are", (_, wgs84, gcj02) => {
  const moved = siteDatumOf(wgs84);
  expect(moved.x).toBeCloseTo(gcj02.x, 4);
  expect(moved.y).toBeCloseTo(gcj02.y, 4);
});

test("the known point is met to the last digit that a receiver gives", () => {
  const { x, y } = siteDatumOf({ x: 116.404, y: 39.915 });
  expect([x.toFixed(7), y.toFixed(7)]).toEqual(["116.4102445", "39.9164043"]);
});

test.each([
  ["London", { x: -0.1276, y: 51.5072 }],
  ["Sydney", { x: 151.2093, y: -33.8688 }],
])("a position in %s stays as it is", (_, position) => {
  expect(isInChina(position)).toBe(false);
  expect(siteDatumOf(position)).toEqual(position);
});
