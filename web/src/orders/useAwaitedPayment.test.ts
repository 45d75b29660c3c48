import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope, nextTick, ref, type EffectScope } from "vue";
import { useAwaitedPayment } from "./useAwaitedPayment";

const unpaid = ref(true);
const refresh = vi.fn<() => Promise<void>>();
let scope: EffectScope;

beforeEach(() => {
  vi.useFakeTimers();
  unpaid.value = true;
  refresh.mockReset().mockResolvedValue(undefined);
  scope = effectScope();
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
});

function awaiting() {
  const it = scope.run(() => useAwaitedPayment(() => unpaid.value, refresh));
  if (!it) throw new Error("the scope is active");
  return it.awaited;
}

test("an order is looked at until its payment is there", async () => {
  refresh.mockImplementation(async () => void (unpaid.value = refresh.mock.calls.length < 3));
  const awaited = awaiting();
  expect(awaited.value).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(awaited.value).toBe(false);
  expect(refresh).toHaveBeenCalledTimes(3);
});

test("a payment that does not come is not waited for for ever", async () => {
  const awaited = awaiting();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(awaited.value).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(awaited.value).toBe(false);
  expect(refresh).toHaveBeenCalledTimes(15);
});

test("an order that is not known yet, or not unpaid, is left alone", async () => {
  unpaid.value = false;
  const awaited = awaiting();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refresh).not.toHaveBeenCalled();
  unpaid.value = true;
  await nextTick();
  expect(awaited.value).toBe(true);
});

test("whoever leaves looks no more", async () => {
  awaiting();
  scope.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refresh).not.toHaveBeenCalled();
});
