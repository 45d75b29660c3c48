import { expect, test } from "vitest";
import { toPixel, type MapView } from "@/shops/map/view";
import { covers, fileFromSite, siteFromFile, type StreetMap } from "./datum";
import { ancestorOf, matrixOf, mercatorOf, partOf, tilesIn, type TileId } from "./tiles";

const CITY: StreetMap = { attribution: "© OpenStreetMap", datum: "wgs84", bounds: { west: 116, south: 39.6, east: 116.8, north: 40.2 } };
const ZOOMS = { minZoom: 8, maxZoom: 14 };
const SIZE = { width: 390, height: 520 };
/** WGS-84, and what is published for it in GCJ-02. */
const TIANANMEN = [{ x: 116.404, y: 39.915 }, { x: 116.41024449916938, y: 39.91640428150164 }] as const;

/** Where a point of the file is drawn, by way of the tile that has it. */
function drawnAt(point: { x: number; y: number }, z: number, view: MapView, datum: StreetMap["datum"]) {
  const place = mercatorOf(point);
  const tile: TileId = { z, x: Math.floor(place.x * 2 ** z), y: Math.floor(place.y * 2 ** z) };
  const [x, y] = [place.x * 2 ** z - tile.x, place.y * 2 ** z - tile.y];
  const [a, b, c, d, e, f] = matrixOf(tile, view, SIZE, datum);
  return { left: a * x + c * y + e, top: b * x + d * y + f };
}

test("a street of OpenStreetMap is drawn where its shops are, to the pixel", () => {
  const [wgs84, gcj02] = TIANANMEN;
  for (const [metresPerPixel, z] of [[0.5, 15], [1, 15], [5, 14], [40, 11], [200, 8]] as const) {
    const view = { centre: { x: gcj02.x + 0.0004, y: gcj02.y - 0.0003 }, metresPerPixel };
    const [drawn, shop] = [drawnAt(wgs84, z, view, "wgs84"), toPixel(view, SIZE, gcj02)];
    expect(Math.hypot(drawn.left - shop.left, drawn.top - shop.top), `${metresPerPixel} m/px`).toBeLessThan(1);
  }
});

test("without the conversion it would be half a kilometre off", () => {
  const [wgs84, gcj02] = TIANANMEN;
  const view = { centre: gcj02, metresPerPixel: 1 };
  const [drawn, shop] = [drawnAt(wgs84, 15, view, "gcj02"), toPixel(view, SIZE, gcj02)];
  expect(Math.hypot(drawn.left - shop.left, drawn.top - shop.top)).toBeGreaterThan(450);
});

test("a file in GCJ-02, and one of another country, are drawn as they are", () => {
  for (const [point, datum] of [[TIANANMEN[1], "gcj02"], [{ x: -0.1276, y: 51.5072 }, "wgs84"]] as const) {
    const view = { centre: point, metresPerPixel: 1 };
    const [drawn, shop] = [drawnAt(point, 15, view, datum), toPixel(view, SIZE, point)];
    expect(Math.hypot(drawn.left - shop.left, drawn.top - shop.top)).toBeLessThan(1);
  }
});

test("the way back from GCJ-02 meets the point within a few centimetres", () => {
  for (const point of [TIANANMEN[0], { x: 121.4737, y: 31.2304 }, { x: 104.0657, y: 30.6595 }, { x: -0.1276, y: 51.5072 }]) {
    const there = siteFromFile(point, "wgs84");
    const back = fileFromSite(there, "wgs84");
    expect(back.x).toBeCloseTo(point.x, 6);
    expect(back.y).toBeCloseTo(point.y, 6);
    expect(fileFromSite(there, "gcj02")).toBe(there);
  }
});

test("a file covers what lies in its bounds, on the site's own datum", () => {
  const map: StreetMap = { ...CITY, bounds: { west: 116.404, south: 39.9, east: 116.41, north: 39.92 } };
  expect(covers(map, TIANANMEN[1])).toBe(true);
  expect(covers({ ...map, datum: "gcj02" }, TIANANMEN[1])).toBe(false);
});

test("tiles fill the view, the middle first", () => {
  const view = { centre: TIANANMEN[1], metresPerPixel: 5 };
  const tiles = tilesIn(view, SIZE, CITY, ZOOMS);
  expect(new Set(tiles.map(({ z }) => z))).toEqual(new Set([14]));
  for (const [left, top] of [[0, 0], [389, 0], [0, 519], [389, 519], [195, 260]] as const) {
    const isThere = tiles.some((tile) => {
      const [a, , , d, e, f] = matrixOf(tile, view, SIZE, "wgs84");
      return left >= e - 1 && left <= e + a + 1 && top >= f - 1 && top <= f + d + 1;
    });
    expect(isThere, `${left} ${top}`).toBe(true);
  }
  const [a, , , d, e, f] = matrixOf(tiles[0] ?? { z: 0, x: 0, y: 0 }, view, SIZE, "wgs84");
  expect(195 > e && 195 < e + a && 260 > f && 260 < f + d).toBe(true);
});

test("tiles are as fine as the view needs and the file has", () => {
  const zoomAt = (metresPerPixel: number) => tilesIn({ centre: TIANANMEN[1], metresPerPixel }, SIZE, CITY, ZOOMS)[0]?.z;
  expect([200, 60, 5, 0.25].map(zoomAt)).toEqual([8, 10, 14, 14]);
});

test("a view that the file does not show, or is too coarse for it, needs none", () => {
  const none = (x: number, y: number, metresPerPixel: number) => tilesIn({ centre: { x, y }, metresPerPixel }, SIZE, CITY, ZOOMS).length === 0;
  expect(none(121.47, 31.23, 5)).toBe(true);
  expect(none(117.5, 39.9, 5)).toBe(true);
  expect(tilesIn({ centre: TIANANMEN[1], metresPerPixel: 400 }, SIZE, CITY, { minZoom: 12, maxZoom: 14 })).toEqual([]);
});

test("a screen however large asks for a bounded number", () => {
  const world: StreetMap = { ...CITY, bounds: { west: -180, south: -85, east: 180, north: 85 } };
  const tiles = tilesIn({ centre: TIANANMEN[1], metresPerPixel: 5 }, { width: 9_000, height: 9_000 }, world, ZOOMS);
  expect(tiles).toHaveLength(30);
});

test("a tile is a part of the coarser ones above it", () => {
  const tile = { z: 14, x: 13_490, y: 6_207 };
  expect(ancestorOf(tile, 0)).toEqual(tile);
  expect(ancestorOf(tile, 2)).toEqual({ z: 12, x: 3_372, y: 1_551 });
  expect(partOf(ancestorOf(tile, 2), tile)).toEqual({ x: 0.5, y: 0.75, side: 0.25 });
});
