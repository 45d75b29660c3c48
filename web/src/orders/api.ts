// Orders: how one is created, and everything its buyer does with it. Requests that take a unit or money carry an
// idempotency key, so that a retry changes nothing.
import { call, type DataOf } from "@/shared/api/client";
import type { CursorQuery } from "@/shared/composables/pageLoader";

type Found = NonNullable<DataOf<"get", "/api/voucher-order/{id}">>;
export type OrderPage = NonNullable<DataOf<"get", "/api/voucher-order/of/me">>;
export type Order = OrderPage["list"][number];
export type Payment = NonNullable<DataOf<"post", "/api/voucher-order/{id}/pay">>;
export type Redeemed = NonNullable<DataOf<"post", "/api/voucher-order/redeem">>;

/** As they are numbered on the wire. */
export const ORDER_STATUS = { processing: 0, unpaid: 1, paid: 2, used: 3, cancelled: 4, refunding: 5, refunded: 6 } as const;
export const PAY_TYPE = { balance: 1, alipay: 2, wechat: 3 } as const;
export type PayType = (typeof PAY_TYPE)[keyof typeof PAY_TYPE];

export async function claim(voucherId: number, key: string, token: string | undefined): Promise<string> {
  const headers = { "Idempotency-Key": key, ...(token === undefined ? {} : { "X-Claim-Token": token }) };
  return idOf(await call("post", "/api/voucher-order/seckill/{id}", { path: { id: voucherId }, headers }));
}

export async function purchase(voucherId: number, key: string): Promise<string> {
  const headers = { "Idempotency-Key": key };
  return idOf(await call("post", "/api/voucher-order/{id}", { path: { id: voucherId }, headers }));
}

/** Null while the order is not in SQL yet. */
export async function getOrder(id: string): Promise<Order | null> {
  const found = await call("get", "/api/voucher-order/{id}", { path: { id } });
  return found !== undefined && isRecorded(found) ? found : null;
}

export async function listOrders(query: CursorQuery & { status?: number }): Promise<OrderPage> {
  return (await call("get", "/api/voucher-order/of/me", { query })) ?? { list: [] };
}

/** With `cashier`, a site with the sandbox provider shows its cashier's page instead of paying at once. */
export async function pay(id: string, payType: PayType, key: string): Promise<Payment> {
  const headers = { "Idempotency-Key": key };
  const body = { payType, cashier: payType !== PAY_TYPE.balance };
  const payment = await call("post", "/api/voucher-order/{id}/pay", { path: { id }, headers, body });
  return payment ?? { status: ORDER_STATUS.unpaid };
}

export async function cancelOrder(id: string, key: string): Promise<void> {
  await call("post", "/api/voucher-order/{id}/cancel", { path: { id }, headers: { "Idempotency-Key": key } });
}

export async function refundOrder(id: string, key: string): Promise<void> {
  await call("post", "/api/voucher-order/{id}/refund", { path: { id }, headers: { "Idempotency-Key": key } });
}

/** For merchants: the buyer's digits, with or without spaces. */
export async function redeem(code: string): Promise<Redeemed | undefined> {
  return call("post", "/api/voucher-order/redeem", { body: { code } });
}

/** In cents. */
export async function getBalance(): Promise<number> {
  return (await call("get", "/api/user/balance"))?.balance ?? 0;
}

function isRecorded(found: Found): found is Order {
  return found.status !== ORDER_STATUS.processing;
}

function idOf(id: string | undefined): string {
  if (id === undefined) throw new Error("an order without an id");
  return id;
}
