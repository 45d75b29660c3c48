// Points on the earth and their distance, as precisely as a search for shops needs.

/** Longitude and latitude in degrees, named as on the wire. */
export interface Point {
  x: number;
  y: number;
}

export type CityId = "hangzhou" | "shanghai" | "chengdu";

/** The cities of the demo shops, each by a point in the middle of them. */
export const CITIES: readonly { id: CityId; point: Point }[] = [
  { id: "hangzhou", point: { x: 120.149993, y: 30.334229 } },
  { id: "shanghai", point: { x: 121.4737, y: 31.2304 } },
  { id: "chengdu", point: { x: 104.0657, y: 30.6595 } },
];

/** The city of a stored choice; the first, when it was none or a position, which is not known yet. */
export function cityOf(stored: string | null): (typeof CITIES)[number] {
  const [first] = CITIES;
  return CITIES.find(({ id }) => id === stored) ?? first ?? { id: "hangzhou", point: { x: 0, y: 0 } };
}

/** The radius that the server counts with, so that a list and a page show the same distance. */
const EARTH_RADIUS_METRES = 6_372_797.56;
const RADIANS_PER_DEGREE = Math.PI / 180;

/** Along the great circle (haversine). */
export function distanceMetres(from: Point, to: Point): number {
  const half = (degrees: number) => Math.sin((degrees * RADIANS_PER_DEGREE) / 2) ** 2;
  const cos = (degrees: number) => Math.cos(degrees * RADIANS_PER_DEGREE);
  const chord = half(to.y - from.y) + cos(from.y) * cos(to.y) * half(to.x - from.x);
  return 2 * EARTH_RADIUS_METRES * Math.asin(Math.min(1, Math.sqrt(chord)));
}

/** `120.15,30.33`: a longitude and a latitude on this earth, or undefined. */
export function pointIn(value: unknown): Point | undefined {
  const [, x, y] = (typeof value === "string" ? /^(-?\d{1,3}(?:\.\d+)?),(-?\d{1,2}(?:\.\d+)?)$/.exec(value) : null) ?? [];
  const point = { x: Number(x), y: Number(y) };
  return Math.abs(point.x) <= 180 && Math.abs(point.y) <= 90 ? point : undefined;
}
