import { expect, test } from "vitest";
import { clustersOf } from "./clusters";

/** Shops in a row to the east, so many metres apart from the first. */
const row = (...metres: number[]) => metres.map((east, id) => ({ id, x: 120 + east / 96_300, y: 30 }));

test("markers that would cover each other become one", () => {
  const clusters = clustersOf(row(0, 100, 2000), 10, 40);
  expect(clusters.map(({ members }) => members.map(({ id }) => id))).toEqual([[0, 1], [2]]);
});

test("nearer, they are apart", () => {
  expect(clustersOf(row(0, 100, 2000), 1, 40)).toHaveLength(3);
});

test("every shop is in exactly one", () => {
  const shops = row(0, 90, 180, 270, 360, 450, 1000, 1050);
  const ids = clustersOf(shops, 3, 40).flatMap(({ members }) => members.map(({ id }) => id));
  expect(ids.sort()).toEqual(shops.map(({ id }) => id));
});

test("a little zoom changes no group", () => {
  const groups = (metresPerPixel: number) => clustersOf(row(0, 410, 800), metresPerPixel, 40).map(({ members }) => members.length);
  expect(groups(10)).toEqual(groups(10.4));
});

test("no two clusters overlap", () => {
  const shops = row(...Array.from({ length: 60 }, (_, at) => at * 37));
  const clusters = clustersOf(shops, 10, 40);
  const gaps = clusters.slice(1).map(({ lead }, at) => (lead.x - (clusters[at]?.lead.x ?? 0)) * 9630);
  expect(Math.min(...gaps)).toBeGreaterThan(33);
});
