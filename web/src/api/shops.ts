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

export async function findShops(name: string, page: number): Promise<Shop[]> {
  return (await call("get", "/api/shop/of/name", { query: { name, current: page } })) ?? [];
}

export async function getShop(id: number): Promise<Shop | undefined> {
  return call("get", "/api/shop/{id}", { path: { id } });
}
