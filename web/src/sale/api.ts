// Vouchers and flash sales: what is on the shelf, how a sale stands, and who gets a piece.
// Every time that the server tells on the way sets the page's clock.
import { call, type DataOf } from "@/shared/api/client";
import { hearServerTime } from "@/shared/serverClock";

export type Voucher = NonNullable<DataOf<"get", "/api/voucher/list/{shopId}">>[number];
export type SaleState = NonNullable<DataOf<"get", "/api/voucher/seckill/{id}">>;

/** A voucher away from the shelf of its shop: what is sold, and where. */
export type Offer = NonNullable<DataOf<"get", "/api/voucher/{id}">>;

/** On the wire, 0 is an ordinary voucher and 1 a flash sale. */
const FLASH_SALE = 1;

export function isFlashSale(voucher: Voucher): boolean {
  return voucher.type === FLASH_SALE;
}

export async function listVouchers(shopId: number): Promise<Voucher[]> {
  return heard((await call("get", "/api/voucher/list/{shopId}", { path: { shopId } })) ?? []);
}

/** Open ones, the soonest to end first, then those that begin within a day. The first page is what anybody looks at. */
export async function listRunningSales(): Promise<Offer[]> {
  return heard((await call("get", "/api/voucher/seckill/running")) ?? []);
}

export async function getOffer(id: number): Promise<Offer> {
  const offer = await call("get", "/api/voucher/{id}", { path: { id } });
  if (offer === undefined) throw new Error("an offer of nothing");
  return offer;
}

/** For the signed-in with what they have of it. */
export async function getSaleState(id: number): Promise<SaleState> {
  const state = await call("get", "/api/voucher/seckill/{id}", { path: { id } });
  if (state === undefined) throw new Error("a sale without a state");
  hearServerTime(state.nowMs);
  return state;
}

export function saleEventsUrl(id: number): string {
  return `/api/voucher/seckill/${id}/events`;
}

/** What such an event tells, if it is one: how the sale stands to anybody. */
export function readSaleEvent(data: unknown): SaleState | null {
  if (typeof data !== "object" || data === null || !("nowMs" in data) || !("stock" in data)) return null;
  const state = data as SaleState;
  hearServerTime(state.nowMs);
  return state;
}

function heard<T extends { nowMs?: number | undefined }>(list: T[]): T[] {
  for (const { nowMs } of list) if (nowMs !== undefined) hearServerTime(nowMs);
  return list;
}
