// The filters of a search for shops, as in the URL, as chips, and as the server takes them.
import type { LocationQuery } from "vue-router";

/** What a chip sets; chips of the same parameter exclude each other. */
export interface FilterChip {
  param: FilterParam;
  value: string;
}

type FilterParam = "open" | "deals" | "stars" | "price" | "within";
export type ChosenFilters = Partial<Record<FilterParam, string>>;

/** In the order of the row. Prices are in yuan, distances in metres; `any` is every city. */
export const FILTER_CHIPS: readonly FilterChip[] = [
  { param: "open", value: "1" },
  { param: "deals", value: "1" },
  { param: "within", value: "1000" },
  { param: "within", value: "3000" },
  { param: "within", value: "any" },
  { param: "stars", value: "4" },
  { param: "price", value: "0-50" },
  { param: "price", value: "50-100" },
  { param: "price", value: "100-" },
];

/** Unknown values are ignored: a URL may have been typed by hand. */
export function filtersIn(query: LocationQuery): ChosenFilters {
  const known = FILTER_CHIPS.filter(({ param, value }) => query[param] === value);
  return Object.fromEntries(known.map(({ param, value }) => [param, value]));
}

export function isChosen(chosen: ChosenFilters, { param, value }: FilterChip): boolean {
  return chosen[param] === value;
}

/** With this chip chosen, or no longer. */
export function toggled(chosen: ChosenFilters, chip: FilterChip): ChosenFilters {
  const { [chip.param]: before, ...others } = chosen;
  return before === chip.value ? others : { ...others, [chip.param]: chip.value };
}

/** `50-100` as a range; an end that is missing is open. */
export function priceRange(value: string): { minPrice?: number; maxPrice?: number } {
  const [least = "", most = ""] = value.split("-");
  return { ...(least && { minPrice: Number(least) }), ...(most && { maxPrice: Number(most) }) };
}

export function serverFilters({ open, deals, stars, price }: ChosenFilters) {
  return {
    ...(open && { openNow: true }),
    ...(deals && { deals: true }),
    ...(stars && { minScore: Number(stars) * 10 }),
    ...(price && priceRange(price)),
  };
}
