// Which tiles a view needs, and where they are on the screen. Tiles are squares of Mercator's projection, the view is flat and
// in the datum of the shops: within a tile both differ by so little that a matrix takes one to the other.
// Invariant: what lies in a tile is drawn within a pixel of where the view puts the same point of the earth.
import type { Point } from "@/shops/place";
import { toPixel, toPoint, type MapView, type Size } from "@/shops/map/view";
import { fileFromSite, siteFromFile, type StreetMap } from "./datum";

export interface TileId {
  z: number;
  x: number;
  y: number;
}

export interface ZoomRange {
  minZoom: number;
  maxZoom: number;
}

/** From a tile, as a square from 0 to 1, to pixels. */
export type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Protomaps draws its tiles for this size. */
const TILE_PX = 512;
const EQUATOR_METRES = 40_075_017;
/** Of a map that is finer than a screen of these, the ones around the middle are drawn. */
const TILES_MAX = 30;

export function keyOf({ z, x, y }: TileId): string {
  return `${z}/${x}/${y}`;
}

/** The tiles that the view shows, those in the middle first. None where the view is much coarser than the file. */
export function tilesIn(view: MapView, size: Size, map: StreetMap, zooms: ZoomRange): TileId[] {
  const ideal = idealZoom(view);
  if (ideal < zooms.minZoom - 1) return [];
  const z = Math.min(zooms.maxZoom, Math.max(zooms.minZoom, Math.round(ideal)));
  const shown = boxOf(cornersOf(view, size).map((corner) => mercatorOf(fileFromSite(corner, map.datum))));
  const { west, south, east, north } = map.bounds;
  const known = boxOf([mercatorOf({ x: west, y: north }), mercatorOf({ x: east, y: south })]);
  const count = 2 ** z;
  const place = (part: number) => Math.min(count - 1, Math.max(0, Math.floor(part * count)));
  const [left, right] = [place(Math.max(shown.left, known.left)), place(Math.min(shown.right, known.right))];
  const [top, bottom] = [place(Math.max(shown.top, known.top)), place(Math.min(shown.bottom, known.bottom))];
  if (shown.left > known.right || shown.right < known.left || shown.top > known.bottom || shown.bottom < known.top) return [];
  const middle = { x: ((shown.left + shown.right) / 2) * count - 0.5, y: ((shown.top + shown.bottom) / 2) * count - 0.5 };
  const found: TileId[] = [];
  for (let y = top; y <= bottom; y++) for (let x = left; x <= right; x++) found.push({ z, x, y });
  const away = (tile: TileId) => Math.hypot(tile.x - middle.x, tile.y - middle.y);
  return found.sort((one, other) => away(one) - away(other)).slice(0, TILES_MAX);
}

export function matrixOf(tile: TileId, view: MapView, size: Size, datum: StreetMap["datum"]): Matrix {
  const count = 2 ** tile.z;
  const at = (x: number, y: number) => toPixel(view, size, siteFromFile(pointOf(x / count, y / count), datum));
  const [from, right, down] = [at(tile.x, tile.y), at(tile.x + 1, tile.y), at(tile.x, tile.y + 1)];
  return [right.left - from.left, right.top - from.top, down.left - from.left, down.top - from.top, from.left, from.top];
}

/** A square within a tile, which is one from 0 to 1. */
export interface Part {
  x: number;
  y: number;
  side: number;
}

/** The part of a coarser tile that a tile is. */
export function partOf(ancestor: TileId, tile: TileId): Part {
  const ratio = 2 ** (tile.z - ancestor.z);
  return { x: tile.x / ratio - ancestor.x, y: tile.y / ratio - ancestor.y, side: 1 / ratio };
}

/** The tile so many levels above. */
export function ancestorOf({ z, x, y }: TileId, levels: number): TileId {
  return { z: z - levels, x: Math.floor(x / 2 ** levels), y: Math.floor(y / 2 ** levels) };
}

function idealZoom({ centre, metresPerPixel }: MapView): number {
  return Math.log2((EQUATOR_METRES * Math.cos((centre.y * Math.PI) / 180)) / (TILE_PX * metresPerPixel));
}

function cornersOf(view: MapView, { width, height }: Size): Point[] {
  const pixels = [
    { left: 0, top: 0 },
    { left: width, top: 0 },
    { left: 0, top: height },
    { left: width, top: height },
  ];
  return pixels.map((pixel) => toPoint(view, { width, height }, pixel));
}

/** The world as a square from 0 to 1, from its north-west. */
export function mercatorOf({ x, y }: Point): Point {
  return { x: (x + 180) / 360, y: (1 - Math.asinh(Math.tan((y * Math.PI) / 180)) / Math.PI) / 2 };
}

function pointOf(x: number, y: number): Point {
  return { x: x * 360 - 180, y: (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI };
}

function boxOf(points: readonly Point[]) {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}
