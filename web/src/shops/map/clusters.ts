// Markers that would cover each other become one with a number. Grouped on the ground, not on the screen, and at
// steps of the scale, so that clusters are stable while the map is dragged and change seldom while it is zoomed.
import { distanceMetres, type Point } from "@/shops/place";

export interface Cluster<T extends Point> {
  /** The first member. The cluster is drawn at its position: leads are far enough apart, centres may not be. */
  lead: T;
  members: readonly T[];
}

/** Each step is so many times the scale of the one before. */
const SCALE_STEP = Math.SQRT2;

export function clustersOf<T extends Point>(items: readonly T[], metresPerPixel: number, radiusPx: number): Cluster<T>[] {
  const step = SCALE_STEP ** Math.round(Math.log(metresPerPixel) / Math.log(SCALE_STEP));
  const radiusMetres = step * radiusPx;
  const groups: { lead: T; members: T[] }[] = [];
  for (const item of items) {
    const near = groups.find(({ lead }) => distanceMetres(lead, item) <= radiusMetres);
    if (near) near.members.push(item);
    else groups.push({ lead: item, members: [item] });
  }
  return groups;
}
