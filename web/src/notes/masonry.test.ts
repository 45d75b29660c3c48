import { expect, test } from "vitest";
import { columnsIn } from "./useColumns";
import { spread } from "./masonry";

const height = (item: number) => item;

test("every item goes where there is most room, the first ones side by side", () => {
  expect(spread([3, 1, 1, 1, 5], 2, height)).toEqual([
    [3, 5],
    [1, 1, 1],
  ]);
});

test("more items move none of those before them", () => {
  const items = [4, 2, 3, 1, 5, 2, 2, 4];
  const all = spread(items, 3, height);
  const before = spread(items.slice(0, 5), 3, height);
  before.forEach((column, at) => expect(all[at]?.slice(0, column.length)).toEqual(column));
  expect(all.flat().sort()).toEqual([...items].sort());
});

test("columns are as many as fit, within bounds", () => {
  const rules = { minWidthPx: 220, least: 2, most: 4 };
  expect([288, 358, 660, 900, 2_000].map((width) => columnsIn(width, rules))).toEqual([2, 2, 3, 4, 4]);
});
