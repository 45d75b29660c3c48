// What part of the earth a map shows, and where its points are on the screen. Flat, because a city is: a degree of
// longitude is as long everywhere on the screen as it is in its middle.
// Invariant: zooming at a pixel leaves the point under it where it was.
import type { Point } from "@/shops/place";

export interface MapView {
  centre: Point;
  metresPerPixel: number;
}

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

/** In pixels from the top left. */
export interface Pixel {
  left: number;
  top: number;
}

const METRES_PER_DEGREE = 111_195;
/** From a single building to several cities. */
const FINEST = 0.25;
const COARSEST = 400;
/** Metres a pixel at which a phone shows a quarter of about a kilometre. */
const NEIGHBOURHOOD = 3;
/** Cities lie well away from the poles, where a flat map would tear. */
const LATITUDE_MAX = 80;

export function toPixel(view: MapView, size: Size, point: Point): Pixel {
  const perX = metresPerDegreeX(view.centre) / view.metresPerPixel;
  const perY = METRES_PER_DEGREE / view.metresPerPixel;
  return {
    left: size.width / 2 + (point.x - view.centre.x) * perX,
    top: size.height / 2 - (point.y - view.centre.y) * perY,
  };
}

export function toPoint(view: MapView, size: Size, pixel: Pixel): Point {
  const x = view.centre.x + ((pixel.left - size.width / 2) * view.metresPerPixel) / metresPerDegreeX(view.centre);
  const y = view.centre.y - ((pixel.top - size.height / 2) * view.metresPerPixel) / METRES_PER_DEGREE;
  return { x, y: clamp(y, -LATITUDE_MAX, LATITUDE_MAX) };
}

/** As if the map was dragged by so many pixels. */
export function pan(view: MapView, by: Pixel): MapView {
  const size = { width: 0, height: 0 };
  return { ...view, centre: toPoint(view, size, { left: -by.left, top: -by.top }) };
}

/** A factor of 2 shows everything twice as large. */
export function zoomAt(view: MapView, size: Size, pixel: Pixel, factor: number): MapView {
  const metresPerPixel = clamp(view.metresPerPixel / factor, FINEST, COARSEST);
  const zoomed = { ...view, metresPerPixel };
  const fixed = toPixel(zoomed, size, toPoint(view, size, pixel));
  return pan(zoomed, { left: pixel.left - fixed.left, top: pixel.top - fixed.top });
}

/** Fits all points with a margin, but zooms in no further than `nearest`: a lone point is shown with its neighbourhood. */
export function fit(points: readonly Point[], size: Size, marginPx: number, nearest = NEIGHBOURHOOD): MapView {
  const xs = points.map((point) => point.x);
  const ys = points.map((point) => point.y);
  const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const centre = { x: (left + right) / 2, y: (bottom + top) / 2 };
  const across = ((right - left) * metresPerDegreeX(centre)) / Math.max(1, size.width - 2 * marginPx);
  const up = ((top - bottom) * METRES_PER_DEGREE) / Math.max(1, size.height - 2 * marginPx);
  return { centre, metresPerPixel: clamp(Math.max(across, up, nearest), FINEST, COARSEST) };
}

function metresPerDegreeX(at: Point): number {
  return METRES_PER_DEGREE * Math.cos((at.y * Math.PI) / 180);
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}

/** A round length (1, 2 or 5 times a power of ten) that is at most so many pixels long: for grids and scale bars. */
export function roundMetres(metresPerPixel: number, pixelsMax: number): number {
  const most = metresPerPixel * pixelsMax;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [5, 2, 1].find((times) => times * power <= most) ?? 1;
  return step * power;
}
