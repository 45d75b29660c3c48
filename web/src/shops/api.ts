// Shops: their types, lists around a place, search by name, and one by one.
import { call, type CallOptions, type DataOf } from "@/shared/api/client";
import type { Point } from "./place";

export type ShopType = NonNullable<DataOf<"get", "/api/shop-type/list">>[number];
export type Shop = NonNullable<DataOf<"get", "/api/shop/{id}">>;
export type ShopSort = NonNullable<NonNullable<CallOptions<"get", "/api/shop/of/type">["query"]>["sortBy"]>;

/** In the order in which they are offered. */
export const SHOP_SORTS = ["distance", "score", "price", "comments"] as const satisfies readonly ShopSort[];

/** Pages of the lists below; a shorter page is the last. The first is ours to choose, the second the server's. */
export const SHOPS_PER_PAGE = 10;
export const FOUND_PER_PAGE = 10;

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

/** By a part of their name, with their distance from the point if given. */
export async function findShops(name: string, page: number, point?: Point): Promise<Shop[]> {
  return (await call("get", "/api/shop/of/name", { query: { name, current: page, ...point } })) ?? [];
}

export async function getShop(id: number): Promise<Shop | undefined> {
  return call("get", "/api/shop/{id}", { path: { id } });
}
