// Shops: their types, lists around a place, search by name, and one by one.
import { call, type CallOptions, type DataOf } from "@/shared/api/client";
import type { CursorQuery } from "@/shared/composables/pageLoader";
import type { Point } from "./place";
import { serverFilters, type ChosenFilters } from "./shopFilter";

export type ShopType = NonNullable<DataOf<"get", "/api/shop-type/list">>[number];
export type Shop = NonNullable<DataOf<"get", "/api/shop/{id}">>;
export type Dish = NonNullable<DataOf<"get", "/api/shop/{id}/dishes">>[number];
export type ShopSort = NonNullable<NonNullable<CallOptions<"get", "/api/shop/of/type">["query"]>["sortBy"]>;

/** In the order in which they are offered. */
export const SHOP_SORTS = ["distance", "score", "price", "comments"] as const satisfies readonly ShopSort[];

/** Pages of the list around a place; a shorter page is the last. */
export const SHOPS_PER_PAGE = 10;

interface Around {
  typeId: number;
  point: Point;
  sort: ShopSort;
  radiusMetres: number;
}

export async function listShopTypes(): Promise<ShopType[]> {
  return (await call("get", "/api/shop-type/list")) ?? [];
}

/** The server gives the path below the folder of pictures. */
export function typeIconUrl(icon: string): string {
  return `/imgs${icon}`;
}

/** With their distance from the point. */
export async function listShopsAround({ typeId, point, sort, radiusMetres }: Around, page: number): Promise<Shop[]> {
  const query = { typeId, current: page, size: SHOPS_PER_PAGE, ...point, sortBy: sort, radius: radiusMetres };
  return (await call("get", "/api/shop/of/type", { query })) ?? [];
}

/** The server's limit for a map. */
export const MAP_SHOPS_MAX = 200;

/** Those nearest to the middle of a map, of one type or of all. */
export async function listShopsForMap(middle: Point, radiusMetres: number, typeId: number | undefined): Promise<Shop[]> {
  const kind = typeId === undefined ? {} : { typeId };
  return (await call("get", "/api/shop/around", { query: { ...middle, radius: radiusMetres, ...kind } })) ?? [];
}

/** By a part of their name. */
export async function findShops(name: string): Promise<Shop[]> {
  return (await call("get", "/api/shop/of/name", { query: { name, current: 1 } })) ?? [];
}

interface Search {
  text: string;
  point: Point;
  filters: ChosenFilters;
}

/** By words in name, area, address and category: those around the point, unless the filters ask for every city. */
export async function searchShops({ text, point, filters }: Search, query: CursorQuery) {
  const { within } = filters;
  const around = within === "any" ? {} : { ...point, ...(within && { radius: Number(within) }) };
  const wanted = { q: text, ...around, ...serverFilters(filters), ...query };
  return (await call("get", "/api/search/shops", { query: wanted })) ?? { list: [] };
}

/** The first few around the point, for a text that is still being typed. */
export async function suggestShops(text: string, point: Point, signal: AbortSignal): Promise<Shop[]> {
  return (await call("get", "/api/search/suggestions", { query: { q: text, ...point }, signal })) ?? [];
}

/** What people recommend there, the most recommended first. */
export async function listDishes(id: number, size: number): Promise<Dish[]> {
  return (await call("get", "/api/shop/{id}/dishes", { path: { id }, query: { size } })) ?? [];
}

export async function getShop(id: number): Promise<Shop | undefined> {
  return call("get", "/api/shop/{id}", { path: { id } });
}
