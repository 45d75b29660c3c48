// The names of a city's quarters, learnt from its shops: each stands in the middle of those that name it.
import type { Point } from "@/shops/place";

export interface Quarter {
  name: string;
  point: Point;
}

/** Those with most shops first. */
export function quartersOf(shops: readonly (Point & { area?: string })[]): Quarter[] {
  const byName = new Map<string, Point[]>();
  for (const shop of shops) {
    if (shop.area === undefined || shop.area === "") continue;
    byName.set(shop.area, [...(byName.get(shop.area) ?? []), shop]);
  }
  return [...byName]
    .sort(([, some], [, others]) => others.length - some.length)
    .map(([name, points]) => ({ name, point: middleOf(points) }));
}

function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce((total, { x, y }) => ({ x: total.x + x, y: total.y + y }), { x: 0, y: 0 });
  return { x: sum.x / points.length, y: sum.y / points.length };
}
