import { expect, test } from "vitest";
import { FILTER_CHIPS, filtersIn, isChosen, serverFilters, toggled, type FilterChip } from "./shopFilter";

test("filters are read from the URL, and made-up ones are ignored", () => {
  const query = { q: "面", open: "1", price: "50-100", stars: "9", within: ["1000"] };
  expect(filtersIn(query)).toEqual({ open: "1", price: "50-100" });
});

test("a chip toggles, and replaces another of its kind", () => {
  const chip = (value: string): FilterChip => FILTER_CHIPS.filter((known) => known.value === value)[0] ?? { param: "open", value: "" };
  const near = toggled({ open: "1" }, chip("1000"));
  expect(near).toEqual({ open: "1", within: "1000" });
  const farther = toggled(near, chip("3000"));
  expect(farther).toEqual({ open: "1", within: "3000" });
  expect(isChosen(farther, chip("3000"))).toBe(true);
  expect(toggled(farther, chip("3000"))).toEqual({ open: "1" });
});

test("the server gets numbers", () => {
  expect(serverFilters({ open: "1", deals: "1", stars: "4", price: "0-50" })).toEqual({
    openNow: true,
    deals: true,
    minScore: 40,
    minPrice: 0,
    maxPrice: 50,
  });
  expect(serverFilters({ price: "100-" })).toEqual({ minPrice: 100 });
  expect(serverFilters({})).toEqual({});
});
