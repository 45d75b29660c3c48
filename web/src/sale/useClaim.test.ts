import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope, nextTick, ref, shallowRef, type EffectScope } from "vue";
import { ApiError } from "@/shared/api/client";
import { pendingKey, releaseKey } from "@/shared/idempotencyKeys";
import type { SaleState } from "./api";
import { useClaim } from "./useClaim";

const SALE: SaleState = { state: "open", stock: 5, beginAtMs: 1000, endAtMs: 9000, nowMs: 0 };
const NAME = "claim.7.1";

const sale = shallowRef<SaleState | undefined>(SALE);
const nowMs = ref(2000);
const claim = vi.fn<(key: string, token: string | undefined) => Promise<string>>();
const refresh = vi.fn<() => Promise<void>>();
const onSignedOut = vi.fn();
let limit = 1;
let person: number | null = 7;
let scope: EffectScope;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(Math, "random").mockReturnValue(0);
  releaseKey(NAME);
  limit = 1;
  person = 7;
  sale.value = SALE;
  nowMs.value = 2000;
  claim.mockReset();
  refresh.mockReset().mockResolvedValue(undefined);
  onSignedOut.mockReset();
  scope = effectScope();
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
});

function button() {
  const it = scope.run(() =>
    useClaim({
      saleId: 1,
      sale,
      nowMs,
      limit: () => limit,
      personId: () => person,
      refresh,
      applyUpdate: (update) => (sale.value = sale.value && { ...sale.value, ...update }),
      claim,
      onSignedOut,
    }),
  );
  if (!it) throw new Error("the scope is active");
  return it;
}

const refused = (code: string, status: number, data?: string, retryAfterSecs?: number) =>
  new ApiError(code, "", status, retryAfterSecs, data);
const lost = refused("network", 0);

/** Presses, and lets the reply arrive. */
async function pressed(reply: Error | string) {
  const it = button();
  if (typeof reply === "string") claim.mockResolvedValueOnce(reply);
  else claim.mockRejectedValueOnce(reply);
  it.press();
  await flushPromises();
  return it;
}

test("before anything is known there is no state", () => {
  sale.value = undefined;
  expect(button().state.value).toBeNull();
});

test("the server's clock opens and closes the sale, without a reply from the server", async () => {
  const it = button();
  const seen: unknown[] = [];
  for (const now of [999, 1000, 8999, 9000]) {
    nowMs.value = now;
    await nextTick();
    seen.push(it.state.value?.name);
  }
  expect(seen).toEqual(["waiting", "open", "open", "ended"]);
});

test("a sale that the merchant ends is over before its time", () => {
  sale.value = { ...SALE, state: "ended" };
  expect(button().state.value).toEqual({ name: "ended" });
});

test("what one has already is shown instead of what is to be had", () => {
  sale.value = { ...SALE, orderId: "77" };
  expect(button().state.value).toEqual({ name: "already_bought", orderId: "77" });
});

test("a user below the limit can claim again", async () => {
  limit = 2;
  sale.value = { ...SALE, orderId: "77" };
  const it = await pressed("78");
  expect(it.state.value).toEqual({ name: "won", orderId: "78" });
});

test("a claim that is granted is won", async () => {
  const it = await pressed("77");
  expect(it.state.value).toEqual({ name: "won", orderId: "77" });
  expect(pendingKey(NAME)).toBeNull();
});

test("while a claim is sent, the button says so and cannot be pressed again", async () => {
  const it = button();
  claim.mockReturnValue(new Promise(() => undefined));
  it.press();
  it.press();
  expect(it.state.value).toEqual({ name: "sending" });
  expect(claim).toHaveBeenCalledOnce();
});

test.each([
  [{ ...SALE, beginAtMs: 3000 }, "waiting"],
  [{ ...SALE, stock: 0 }, "sold_out"],
  [{ ...SALE, endAtMs: 1500 }, "ended"],
])("a sale that is not open cannot be pressed", (terms, name) => {
  sale.value = terms;
  const it = button();
  it.press();
  expect(it.state.value?.name).toBe(name);
  expect(claim).not.toHaveBeenCalled();
});

test("a claim that came too late shows sold out, and a returned unit can be claimed", async () => {
  const it = await pressed(refused("sold_out", 200));
  expect(it.state.value).toEqual({ name: "sold_out" });
  expect(pendingKey(NAME)).toBeNull();
  sale.value = { ...SALE, stock: 1 };
  expect(it.state.value).toEqual({ name: "open" });
});

test("a second claim leads to the order of the first", async () => {
  const it = await pressed(refused("already_bought", 200, "42"));
  expect(it.state.value).toEqual({ name: "already_bought", orderId: "42" });
});

test("a claim before the beginning loads the state of the sale", async () => {
  refresh.mockImplementation(async () => void (sale.value = { ...SALE, beginAtMs: 5000 }));
  const it = await pressed(refused("not_started", 200));
  expect(it.state.value).toEqual({ name: "waiting" });
});

test("a claim after the end shows the end", async () => {
  const it = await pressed(refused("ended", 200));
  expect(it.state.value).toEqual({ name: "ended" });
});

test("a busy server is retried under the same key", async () => {
  const it = await pressed(refused("busy", 503));
  expect(it.state.value).toEqual({ name: "busy" });
  claim.mockResolvedValueOnce("77");
  await vi.advanceTimersByTimeAsync(1000);
  expect(it.state.value).toEqual({ name: "won", orderId: "77" });
  expect(claim.mock.calls[0]?.[0]).toBe(claim.mock.calls[1]?.[0]);
});

test("a busy server is not retried before Retry-After", async () => {
  await pressed(refused("too_many", 429, undefined, 3));
  claim.mockResolvedValueOnce("77");
  await vi.advanceTimersByTimeAsync(2999);
  expect(claim).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(1);
  expect(claim).toHaveBeenCalledTimes(2);
});

test("a server that stays busy is left alone until the person tries again", async () => {
  const it = button();
  claim.mockRejectedValue(refused("busy", 503));
  it.press();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(it.state.value?.name).toBe("failed");
  const calls = claim.mock.calls.length;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(claim).toHaveBeenCalledTimes(calls);
  claim.mockReset().mockResolvedValueOnce("77");
  it.press();
  await flushPromises();
  expect(it.state.value).toEqual({ name: "won", orderId: "77" });
});

test("a lost reply is retried under the same key until there is one", async () => {
  const it = await pressed(lost);
  expect(it.state.value).toEqual({ name: "in_doubt", orderId: undefined });
  claim.mockRejectedValueOnce(lost).mockRejectedValueOnce(refused("busy", 503)).mockResolvedValueOnce("77");
  await vi.advanceTimersByTimeAsync(1000);
  expect(it.state.value?.name).toBe("in_doubt");
  await vi.advanceTimersByTimeAsync(10_000);
  expect(it.state.value).toEqual({ name: "won", orderId: "77" });
  expect(new Set(claim.mock.calls.map(([key]) => key)).size).toBe(1);
});

test("a claim in processing shows its order id, and is retried until it is decided", async () => {
  const it = await pressed(refused("processing", 503, "77"));
  expect(it.state.value).toEqual({ name: "in_doubt", orderId: "77" });
  claim.mockRejectedValueOnce(refused("sold_out", 200));
  await vi.advanceTimersByTimeAsync(1000);
  expect(it.state.value).toEqual({ name: "sold_out" });
});

test("a network that comes back cuts the delay short, with one retry", async () => {
  const it = await pressed(lost);
  claim.mockResolvedValueOnce("77");
  window.dispatchEvent(new Event("online"));
  window.dispatchEvent(new Event("online"));
  await flushPromises();
  expect(it.state.value).toEqual({ name: "won", orderId: "77" });
  expect(claim).toHaveBeenCalledTimes(2);
});

test("a reload resumes the claim in doubt, under its key", async () => {
  await pressed(lost);
  const name = pendingKey(NAME);
  scope.stop();
  scope = effectScope();
  claim.mockReset().mockResolvedValueOnce("77");
  const it = button();
  it.resume();
  expect(it.state.value).toEqual({ name: "in_doubt", orderId: undefined });
  await flushPromises();
  expect(it.state.value).toEqual({ name: "won", orderId: "77" });
  expect(claim.mock.calls[0]?.[0]).toBe(name);
});

test("a reload that finds the order sends nothing", async () => {
  await pressed(lost);
  scope.stop();
  scope = effectScope();
  claim.mockReset();
  sale.value = { ...SALE, orderId: "77" };
  const it = button();
  it.resume();
  expect(it.state.value).toEqual({ name: "already_bought", orderId: "77" });
  expect(claim).not.toHaveBeenCalled();
  expect(pendingKey(NAME)).toBeNull();
});

test("a reload that finds an earlier order still resumes the claim in doubt", async () => {
  limit = 2;
  sale.value = { ...SALE, orderId: "77" };
  await pressed(lost);
  scope.stop();
  scope = effectScope();
  claim.mockReset().mockResolvedValueOnce("78");
  const it = button();
  it.resume();
  await flushPromises();
  expect(it.state.value).toEqual({ name: "won", orderId: "78" });
});

test("without a pending claim nothing is resumed", () => {
  const it = button();
  it.resume();
  expect(it.state.value).toEqual({ name: "open" });
});

test("leaving a busy sale releases the claim", async () => {
  await pressed(refused("busy", 503));
  scope.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(claim).toHaveBeenCalledOnce();
  expect(pendingKey(NAME)).toBeNull();
});

test("leaving before the reply releases a refused claim, and keeps one without a reply", async () => {
  for (const [reply, kept] of [[refused("sold_out", 200), false], [lost, true]] as const) {
    let answer: (error: Error) => void = () => undefined;
    claim.mockReturnValueOnce(new Promise((_, reject) => (answer = reject)));
    button().press();
    scope.stop();
    answer(reply);
    await flushPromises();
    expect(pendingKey(NAME) !== null).toBe(kept);
    expect(vi.getTimerCount()).toBe(0);
    scope = effectScope();
  }
});

test("a claim keeps its key when the session becomes known meanwhile", async () => {
  person = null;
  await pressed(lost);
  person = 7;
  claim.mockResolvedValueOnce("77");
  await vi.advanceTimersByTimeAsync(1000);
  expect(claim.mock.calls[0]?.[0]).toBe(claim.mock.calls[1]?.[0]);
});

test("a token that is too old is renewed, and the claim goes on", async () => {
  refresh.mockImplementation(async () => void (sale.value = { ...SALE, claimToken: "fresh" }));
  const it = await pressed(refused("claim_token_invalid", 200));
  claim.mockResolvedValueOnce("77");
  await vi.advanceTimersByTimeAsync(1000);
  expect(it.state.value).toEqual({ name: "won", orderId: "77" });
  expect(claim.mock.calls[1]?.[1]).toBe("fresh");
});

test("a user who is signed out meanwhile is sent to sign-in, and nothing is in doubt", async () => {
  const it = await pressed(refused("not_signed_in", 401));
  expect(onSignedOut).toHaveBeenCalledOnce();
  expect(it.state.value).toEqual({ name: "open" });
  expect(pendingKey(NAME)).toBeNull();
});

test("any other refusal is shown, and can be retried under a new key", async () => {
  const it = await pressed(refused("forbidden", 403));
  expect(it.state.value).toMatchObject({ name: "failed", error: { code: "forbidden" } });
  claim.mockResolvedValueOnce("77");
  it.press();
  await flushPromises();
  expect(claim.mock.calls[0]?.[0]).not.toBe(claim.mock.calls[1]?.[0]);
});
