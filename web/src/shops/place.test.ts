import { expect, test } from "vitest";
import { distanceMetres, pointIn } from "./place";

test("distances are those on a globe", () => {
  const pole = distanceMetres({ x: 0, y: 0 }, { x: 0, y: 90 });
  expect(pole / 1000).toBeCloseTo(10_010.4, 0);
  expect(distanceMetres({ x: 120, y: 30 }, { x: 121, y: 30 }) / 1000).toBeCloseTo(96.3, 1);
  expect(distanceMetres({ x: 120, y: 30 }, { x: 120, y: 30 })).toBe(0);
});

test.each([
  ["120.15,30.33", { x: 120.15, y: 30.33 }],
  ["-73,-40.5", { x: -73, y: -40.5 }],
  ["200,30", undefined],
  ["120,91", undefined],
  ["120", undefined],
  ["a,b", undefined],
  [undefined, undefined],
])("%j as a point is %j", (text, point) => {
  expect(pointIn(text)).toEqual(point);
});
