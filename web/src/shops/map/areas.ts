// The areas of a city, derived from its shops: each at the centre of the shops in it.
import type { Point } from "@/shops/place";

interface Area {
  name: string;
  point: Point;
}

/** Those with most shops first. */
export function areasOf(shops: readonly (Point & { area?: string })[]): Area[] {
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
