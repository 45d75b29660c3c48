// Query parameters, parsed as values that a page knows.
import type { LocationQuery } from "vue-router";

/** The value if it is known, else the first known one: a URL may have been typed by hand. */
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
