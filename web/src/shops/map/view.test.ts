import { describe, expect, test } from "vitest";
import { distanceMetres } from "@/shops/place";
import { fit, pan, roundMetres, toPixel, toPoint, zoomAt, type MapView } from "./view";

const SIZE = { width: 400, height: 300 };
const VIEW: MapView = { centre: { x: 120.15, y: 30.33 }, metresPerPixel: 10 };

test("the middle of the view is the middle of the screen, and there and back is the same place", () => {
  expect(toPixel(VIEW, SIZE, VIEW.centre)).toEqual({ left: 200, top: 150 });
  const point = toPoint(VIEW, SIZE, { left: 17, top: 290 });
  const back = toPixel(VIEW, SIZE, point);
  expect(back.left).toBeCloseTo(17, 6);
  expect(back.top).toBeCloseTo(290, 6);
});

test("a length on the screen is that length on the ground, across and up", () => {
  const across = distanceMetres(VIEW.centre, toPoint(VIEW, SIZE, { left: 300, top: 150 }));
  const up = distanceMetres(VIEW.centre, toPoint(VIEW, SIZE, { left: 200, top: 50 }));
  expect(across / 1000).toBeCloseTo(1, 2);
  expect(up / 1000).toBeCloseTo(1, 2);
});

test("north is up", () => {
  expect(toPoint(VIEW, SIZE, { left: 200, top: 0 }).y).toBeGreaterThan(VIEW.centre.y);
});

test("dragging the map moves its points along", () => {
  const spot = toPoint(VIEW, SIZE, { left: 100, top: 100 });
  const moved = toPixel(pan(VIEW, { left: 30, top: -20 }), SIZE, spot);
  expect(moved.left).toBeCloseTo(130, 1);
  expect(moved.top).toBeCloseTo(80, 1);
});

describe("zooming", () => {
  test("leaves the point under the finger where it was", () => {
    const finger = { left: 60, top: 220 };
    const spot = toPoint(VIEW, SIZE, finger);
    const after = toPixel(zoomAt(VIEW, SIZE, finger, 2), SIZE, spot);
    expect(after.left).toBeCloseTo(60, 1);
    expect(after.top).toBeCloseTo(220, 1);
  });

  test("stops at a house and at a country", () => {
    const middle = { left: 200, top: 150 };
    expect(zoomAt(VIEW, SIZE, middle, 1e9).metresPerPixel).toBe(0.25);
    expect(zoomAt(VIEW, SIZE, middle, 1e-9).metresPerPixel).toBe(400);
  });
});

describe("fitting", () => {
  test("shows every point inside the margin", () => {
    const points = [
      { x: 120.11, y: 30.3 },
      { x: 120.18, y: 30.35 },
      { x: 120.15, y: 30.29 },
    ];
    const view = fit(points, SIZE, 40);
    for (const point of points) {
      const { left, top } = toPixel(view, SIZE, point);
      expect(left).toBeGreaterThanOrEqual(39.9);
      expect(left).toBeLessThanOrEqual(360.1);
      expect(top).toBeGreaterThanOrEqual(39.9);
      expect(top).toBeLessThanOrEqual(260.1);
    }
  });

  test("a lone point is shown with its neighbourhood", () => {
    expect(fit([VIEW.centre], SIZE, 40)).toEqual({ centre: VIEW.centre, metresPerPixel: 3 });
  });
});

test.each([
  [10, 100, 1000],
  [10, 99, 500],
  [3, 80, 200],
  [0.25, 100, 20],
])("at %d m a pixel, %d pixels hold a round %d m", (metresPerPixel, pixels, metres) => {
  expect(roundMetres(metresPerPixel, pixels)).toBe(metres);
});
