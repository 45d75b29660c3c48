// Shops: their types, lists around a place, search by name, and one by one.
import type { Point } from "@/place";
import { call, type CallOptions, type DataOf } from "./client";

export type ShopType = NonNullable<DataOf<"get", "/api/shop-type/list">>[number];
export type Shop = NonNullable<DataOf<"get", "/api/shop/{id}">>;
export type ShopSort = NonNullable<NonNullable<CallOptions<"get", "/api/shop/of/type">["query"]>["sortBy"]>;

/** Pages of the lists below; a shorter page is the last. */
export const SHOPS_PER_PAGE = 5;
export const FOUND_PER_PAGE = 10;

export interface Around {
  typeId: number;
  point: Point;
  sort: ShopSort;
  radiusMetres: number;
}

export async function listShopTypes(): Promise<ShopType[]> {
  return (await call("get", "/api/shop-type/list")) ?? [];
}

/** With their distance from the point. */
export async function listShopsAround({ typeId, point, sort, radiusMetres }: Around, page: number): Promise<Shop[]> {
  const query = { typeId, current: page, x: point.x, y: point.y, sortBy: sort, radius: radiusMetres };
  return (await call("get", "/api/shop/of/type", { query })) ?? [];
}

/** Pages asked for at once, and shops in all: on a map with more markers nobody finds anything. */
const PAGES_AT_ONCE = 4;
export const MAP_SHOPS_MAX = 100;

/** Those that are nearest, as many as a map can show. */
export async function listShopsForMap(typeId: number, point: Point, radiusMetres: number): Promise<Shop[]> {
  const shops: Shop[] = [];
  for (let page = 1; shops.length < MAP_SHOPS_MAX; page += PAGES_AT_ONCE) {
    const numbers = Array.from({ length: PAGES_AT_ONCE }, (_, at) => page + at);
    const pages = await Promise.all(
      numbers.map((number) => listShopsAround({ typeId, point, sort: "distance", radiusMetres }, number)),
    );
    shops.push(...pages.flat());
    if (pages.some((one) => one.length < SHOPS_PER_PAGE)) break;
  }
  return shops;
}

export async function findShops(name: string, page: number): Promise<Shop[]> {
  return (await call("get", "/api/shop/of/name", { query: { name, current: page } })) ?? [];
}

export async function getShop(id: number): Promise<Shop | undefined> {
  return call("get", "/api/shop/{id}", { path: { id } });
}
