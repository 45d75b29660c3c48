import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ok, refusal, serve } from "@/shared/testing";
import { usePayment } from "./usePayment";

const PAY = "POST /api/voucher-order/77/pay";

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test("a balance pays at once, without a cashier", async () => {
  const requests = serve({ [PAY]: ok({ status: 2 }) });
  expect(await usePayment("77").submit(1)).toEqual({ is: "paid" });
  expect(requests[0]?.body).toEqual({ payType: 1, cashier: false });
});

test("any other way leads to its cashier", async () => {
  const requests = serve({ [PAY]: ok({ status: 1, redirect: "https://pay.example/1" }) });
  expect(await usePayment("77").submit(2)).toEqual({ is: "elsewhere", url: "https://pay.example/1" });
  expect(requests[0]?.body).toEqual({ payType: 2, cashier: true });
});

test("an address that is none of the web's leads nowhere", async () => {
  serve({ [PAY]: ok({ status: 1, redirect: "javascript:alert(1)" }) });
  expect(await usePayment("77").submit(2)).toBeUndefined();
});

test("a payment whose reply was lost is retried under the same key, and charged once", async () => {
  const lost = serve({});
  const payment = usePayment("77");
  expect(await payment.submit(1)).toBeUndefined();
  expect(payment.inDoubt.value).toBe(true);
  const found = serve({ [PAY]: ok({ status: 2 }) });
  expect(await payment.submit(1)).toEqual({ is: "paid" });
  expect(payment.error.value).toBeNull();
  const names = [...lost, ...found].map((request) => request.headers.get("idempotency-key"));
  expect(names[0]).toBe(names[1]);
});

test("a refusal is no doubt, and the next try is another payment", async () => {
  const requests = serve({ [PAY]: refusal("balance_too_small", "余额不足") });
  const payment = usePayment("77");
  await payment.submit(1);
  await payment.submit(1);
  expect(payment.error.value).toMatchObject({ code: "balance_too_small" });
  expect(payment.inDoubt.value).toBe(false);
  const names = requests.map((request) => request.headers.get("idempotency-key"));
  expect(names[0]).not.toBe(names[1]);
});

test("pressing twice pays once", async () => {
  const requests = serve({ [PAY]: ok({ status: 2 }) });
  const payment = usePayment("77");
  await Promise.all([payment.submit(1), payment.submit(1)]);
  expect(requests).toHaveLength(1);
});
