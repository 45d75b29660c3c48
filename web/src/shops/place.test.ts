import { expect, test } from "vitest";
import { distanceMetres } from "./place";

test("distances are those on a globe", () => {
  const pole = distanceMetres({ x: 0, y: 0 }, { x: 0, y: 90 });
  expect(pole / 1000).toBeCloseTo(10_010.4, 0);
  expect(distanceMetres({ x: 120, y: 30 }, { x: 121, y: 30 }) / 1000).toBeCloseTo(96.3, 1);
  expect(distanceMetres({ x: 120, y: 30 }, { x: 120, y: 30 })).toBe(0);
});
