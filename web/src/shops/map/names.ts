// Names on the map that do not run into each other.
import type { Pixel } from "./view";

/** Without those that come nearer to an earlier one than this. */
export function apart<T extends Pixel>(names: readonly T[], gapPx: number): T[] {
  const shown: T[] = [];
  for (const name of names) {
    const isFree = shown.every((other) => Math.hypot(other.left - name.left, other.top - name.top) > gapPx);
    if (isFree) shown.push(name);
  }
  return shown;
}
