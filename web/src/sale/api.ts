// Vouchers and flash sales: those of a shop, those that run, and the state of a sale.
// Every server time in a reply sets the page's clock.
import { call, type DataOf } from "@/shared/api/client";
import { syncServerTime } from "@/shared/serverClock";

export type Voucher = NonNullable<DataOf<"get", "/api/voucher/list/{shopId}">>[number];
export type SaleState = NonNullable<DataOf<"get", "/api/voucher/seckill/{id}">>;

/** A voucher with its shop. */
export type Offer = NonNullable<DataOf<"get", "/api/voucher/{id}">>;

/** On the wire, 0 is an ordinary voucher and 1 a flash sale. */
const FLASH_SALE = 1;

export function isFlashSale(voucher: Voucher): boolean {
  return voucher.type === FLASH_SALE;
}

export async function listVouchers(shopId: number): Promise<Voucher[]> {
  return withClockSynced((await call("get", "/api/voucher/list/{shopId}", { path: { shopId } })) ?? []);
}

/** Of shops around the point: open ones, the nearest first, then those that begin within a day; the first page of them. */
export async function listRunningSales(point: { x: number; y: number }): Promise<Offer[]> {
  return withClockSynced((await call("get", "/api/voucher/seckill/running", { query: point })) ?? []);
}

export async function getOffer(id: number): Promise<Offer> {
  const offer = await call("get", "/api/voucher/{id}", { path: { id } });
  if (offer === undefined) throw new Error("an offer of nothing");
  return offer;
}

/** For a signed-in user with their order. */
export async function getSaleState(id: number): Promise<SaleState> {
  const state = await call("get", "/api/voucher/seckill/{id}", { path: { id } });
  if (state === undefined) throw new Error("a sale without a state");
  syncServerTime(state.nowMs);
  return state;
}

export function saleEventsUrl(id: number): string {
  return `/api/voucher/seckill/${id}/events`;
}

/** The public state of the sale in an event, if it is one. */
export function readSaleEvent(data: unknown): SaleState | null {
  if (typeof data !== "object" || data === null || !("nowMs" in data) || !("stock" in data)) return null;
  const state = data as SaleState;
  syncServerTime(state.nowMs);
  return state;
}

function withClockSynced<T extends { nowMs?: number | undefined }>(list: T[]): T[] {
  for (const { nowMs } of list) if (nowMs !== undefined) syncServerTime(nowMs);
  return list;
}
