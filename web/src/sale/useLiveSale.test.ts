import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope, type EffectScope } from "vue";
import { resetServerTime } from "@/shared/serverClock";
import { FakeStream, ok, serve } from "@/shared/testing";
import { useLiveSale } from "./useLiveSale";

const SALE = { state: "open", stock: 5, beginAtMs: 1, endAtMs: 9, nowMs: 2 };
let scope: EffectScope;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("EventSource", FakeStream);
  FakeStream.all = [];
  scope = effectScope();
});
afterEach(() => {
  scope.stop();
  resetServerTime();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function loaded(data: object) {
  const requests = serve({ "GET /api/voucher/seckill/1": () => ok(data) });
  const it = scope.run(() => useLiveSale(1));
  if (!it) throw new Error("the scope is active");
  await it.load();
  return { it, requests };
}

test("events change what everybody knows and leave what is one's own", async () => {
  const { it } = await loaded({ ...SALE, orderId: "77", claimToken: "t" });
  FakeStream.last().open();
  FakeStream.last().emit("message", JSON.stringify({ ...SALE, stock: 4 }));
  expect(it.sale.value).toMatchObject({ stock: 4, orderId: "77", claimToken: "t" });
});

test("a sale that is not there is not followed", async () => {
  serve({});
  const it = scope.run(() => useLiveSale(1));
  await it?.load();
  expect(FakeStream.all).toEqual([]);
});

test("an event of another kind changes nothing", async () => {
  const { it } = await loaded(SALE);
  FakeStream.last().emit("message", "[]");
  expect(it.sale.value).toEqual(SALE);
});

test("without events the page polls, and stops when they come", async () => {
  const { requests } = await loaded(SALE);
  await vi.advanceTimersByTimeAsync(10_000);
  const before = requests.length;
  expect(before).toBeGreaterThan(2);
  FakeStream.last().open();
  await flushPromises();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(requests).toHaveLength(before);
});

test("a failed poll leaves what is shown", async () => {
  const { it } = await loaded(SALE);
  serve({});
  await it.refresh();
  expect(it.sale.value).toMatchObject({ stock: 5 });
  expect(it.state.value).toBe("ready");
});
