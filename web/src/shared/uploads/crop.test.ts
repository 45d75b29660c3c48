import { expect, test } from "vitest";
import { CENTRED, partIn, panned } from "./crop";

const WIDE = { width: 400, height: 200 };

test("a square of a wide picture is its middle", () => {
  expect(partIn(WIDE, 1, CENTRED)).toEqual({ x: 0.25, y: 0, width: 0.5, height: 1 });
});

test("a frame of the picture's own shape shows all of it", () => {
  expect(partIn(WIDE, 2, CENTRED)).toEqual({ x: 0, y: 0, width: 1, height: 1 });
});

test("a tall frame of a wide picture keeps its height", () => {
  expect(partIn(WIDE, 3 / 4, CENTRED)).toMatchObject({ y: 0, width: 0.375, height: 1 });
});

test("twice as large shows half of it in each direction", () => {
  expect(partIn(WIDE, 1, { zoom: 2, x: 0.5, y: 0.5 })).toEqual({ x: 0.375, y: 0.25, width: 0.25, height: 0.5 });
});

test("nothing beyond the picture is ever shown", () => {
  for (const x of [-3, 0, 1, 9]) {
    for (const zoom of [0, 1, 2.5, 99]) {
      const part = partIn(WIDE, 1, { zoom, x, y: x });
      expect(Math.min(part.x, part.y)).toBeGreaterThanOrEqual(0);
      expect(Math.max(part.x + part.width, part.y + part.height)).toBeLessThanOrEqual(1 + 1e-9);
    }
  }
});

test("pulling the picture to the right shows what is to its left, up to its edge", () => {
  const part = partIn(WIDE, 1, CENTRED);
  expect(panned(part, 1, 0.2, 0).x).toBeCloseTo(0.4);
  expect(partIn(WIDE, 1, panned(part, 1, 5, 0))).toMatchObject({ x: 0 });
  expect(panned(part, 1, 5, 0).x).toBeCloseTo(0.25);
});
