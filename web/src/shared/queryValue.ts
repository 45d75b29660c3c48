// What an address asks for after its question mark, read as one of the values a page knows.
import type { LocationQuery } from "vue-router";
import type { Point } from "@/shops/place";

/** The value if the page knows it, else the first it knows: an address may have been typed by hand. */
export function oneOf<T extends string>(query: LocationQuery, name: string, known: readonly [T, ...T[]]): T {
  return known.find((value) => value === query[name]) ?? known[0];
}

/** A positive whole number, or undefined. */
export function numberIn(value: unknown): number | undefined {
  return typeof value === "string" && /^[1-9]\d{0,15}$/.test(value) ? Number(value) : undefined;
}

export function textIn(query: LocationQuery, name: string): string {
  const value = query[name];
  return typeof value === "string" ? value : "";
}

/** `120.15,30.33`: a longitude and a latitude on this earth, or undefined. */
export function pointIn(value: unknown): Point | undefined {
  const [, x, y] = (typeof value === "string" ? /^(-?\d{1,3}(?:\.\d+)?),(-?\d{1,2}(?:\.\d+)?)$/.exec(value) : null) ?? [];
  const point = { x: Number(x), y: Number(y) };
  return Math.abs(point.x) <= 180 && Math.abs(point.y) <= 90 ? point : undefined;
}
