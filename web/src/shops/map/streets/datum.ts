// The file of streets and the shops in one datum. Inside China shops are in GCJ-02 and OpenStreetMap is in WGS-84, half a
// kilometre apart: without this every shop would lie in another street. The only place where the map converts.
import { siteDatumOf } from "@/shared/datum";
import type { Site } from "@/shared/site/api";
import type { Point } from "@/shops/place";

/** The site's file of streets, as the server describes it. */
export type StreetMap = NonNullable<Site["map"]>;
type Datum = StreetMap["datum"];

/** Each step leaves a ten-thousandth of the error: two are below what a screen shows. */
const STEPS = 3;

/** Where a point of the file is on the site. */
export function siteFromFile(point: Point, datum: Datum): Point {
  return datum === "wgs84" ? siteDatumOf(point) : point;
}

/** Where a point of the site is in the file. The way to GCJ-02 has no formula back, but is almost the same nearby. */
export function fileFromSite(point: Point, datum: Datum): Point {
  if (datum !== "wgs84") return point;
  let found = point;
  for (let step = 0; step < STEPS; step++) {
    const there = siteDatumOf(found);
    found = { x: found.x + point.x - there.x, y: found.y + point.y - there.y };
  }
  return found;
}

/** Whether the file shows what is there. */
export function covers({ bounds: { west, south, east, north }, datum }: StreetMap, point: Point): boolean {
  const { x, y } = fileFromSite(point, datum);
  return x >= west && x <= east && y >= south && y <= north;
}
