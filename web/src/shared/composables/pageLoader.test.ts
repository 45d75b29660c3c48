import { expect, test } from "vitest";
import { cursorLoader, pageLoader, type CursorQuery } from "./pageLoader";

test("numbered pages are counted from one, and a page that is not full is the last", async () => {
  const pages = [[1, 2], [3]];
  const load = pageLoader(async (page) => Promise.resolve(pages[page - 1] ?? []), 2);
  expect(await load(undefined)).toEqual({ items: [1, 2], next: 2 });
  expect(await load(2)).toEqual({ items: [3], next: undefined });
});

test("the server's cursor is sent back unchanged, and a page without one is the last", async () => {
  const queries: CursorQuery[] = [];
  const load = cursorLoader(async (query) => {
    queries.push(query);
    return Promise.resolve(query.cursor === undefined ? { list: [1, 2], cursor: "9007199254740993" } : { list: [3] });
  });
  const first = await load(undefined);
  expect(first).toEqual({ items: [1, 2], next: "9007199254740993" });
  expect(await load(first.next)).toEqual({ items: [3], next: undefined });
  expect(queries).toEqual([{}, { cursor: "9007199254740993" }]);
});
