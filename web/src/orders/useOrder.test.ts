import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope, ref, type EffectScope } from "vue";
import { ok, refusal, serve, type Reply } from "@/shared/testing";
import { useOrder } from "./useOrder";

const ORDER = { id: "77", userId: 7, voucherId: 1, shopId: 1, title: "券", payValue: 1, actualValue: 2, payType: 1, status: 1, createTime: "" };
const ON_ITS_WAY = ok({ id: "77", status: 0 });
const DOWN: Reply = { status: 503, body: { success: false, code: "unavailable", errorMsg: "" } };

let scope: EffectScope;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  scope = effectScope();
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Answers one after the other; the last one for ever. */
function answers(...list: Reply[]) {
  let at = 0;
  return serve({ "GET /api/voucher-order/77": () => list[Math.min(at++, list.length - 1)] ?? DOWN });
}

async function order(id = "77") {
  const it = scope.run(() => useOrder(id));
  if (!it) throw new Error("the scope is active");
  await flushPromises();
  return it;
}

test("an order in processing is polled until it is recorded", async () => {
  const requests = answers(ON_ITS_WAY, ON_ITS_WAY, ok(ORDER));
  const it = await order();
  expect(it.state.value).toBe("processing");
  await vi.advanceTimersByTimeAsync(2000);
  expect(it.state.value).toBe("ready");
  expect(it.order.value?.id).toBe("77");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toHaveLength(3);
});

test("a failed poll does not lose a granted order", async () => {
  answers(ON_ITS_WAY, DOWN, ok(ORDER));
  const it = await order();
  await vi.advanceTimersByTimeAsync(300);
  expect(it.state.value).toBe("processing");
  await vi.advanceTimersByTimeAsync(2000);
  expect(it.state.value).toBe("ready");
});

test("an order that could not be completed is said to be lost", async () => {
  answers(ON_ITS_WAY, refusal("order_failed", "下单失败，名额已退回，请重新抢购"));
  const it = await order();
  await vi.advanceTimersByTimeAsync(2000);
  expect(it.state.value).toBe("lost");
});

test("a failed first load can be retried", async () => {
  answers(DOWN, ok(ORDER));
  const it = await order();
  expect(it.state.value).toBe("failed");
  await it.load();
  expect(it.state.value).toBe("ready");
});

test("a refresh that fails leaves the order as it was", async () => {
  answers(ok(ORDER), DOWN, ok({ ...ORDER, status: 2 }));
  const it = await order();
  expect(await it.refresh()).toBe(false);
  expect(it.order.value?.status).toBe(1);
  expect(await it.refresh()).toBe(true);
  expect(it.order.value?.status).toBe(2);
});

test("a refresh in between does not end the polling", async () => {
  answers(ON_ITS_WAY, ON_ITS_WAY, ON_ITS_WAY, ok(ORDER));
  const it = await order();
  await Promise.all([it.load(), it.refresh()]);
  expect(it.state.value).toBe("processing");
  await vi.advanceTimersByTimeAsync(5000);
  expect(it.state.value).toBe("ready");
});

test("without an id nothing is loaded, and a new id is", async () => {
  const requests = answers(ok(ORDER));
  const id = ref<string | null>(null);
  const it = scope.run(() => useOrder(id));
  await flushPromises();
  expect(requests).toEqual([]);
  id.value = "77";
  await flushPromises();
  expect(it?.state.value).toBe("ready");
});

test("polling ends with the page", async () => {
  const requests = answers(ON_ITS_WAY);
  await order();
  scope.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests).toHaveLength(1);
});
