import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope, nextTick, ref, type EffectScope } from "vue";
import { usePaymentPolling } from "./usePaymentPolling";

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
  const it = scope.run(() => usePaymentPolling(() => unpaid.value, refresh));
  if (!it) throw new Error("the scope is active");
  return it.polling;
}

test("an order is polled until it is paid", async () => {
  refresh.mockImplementation(async () => void (unpaid.value = refresh.mock.calls.length < 3));
  const polling = awaiting();
  expect(polling.value).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(polling.value).toBe(false);
  expect(refresh).toHaveBeenCalledTimes(3);
});

test("a payment that does not come is not waited for for ever", async () => {
  const polling = awaiting();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(polling.value).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(polling.value).toBe(false);
  expect(refresh).toHaveBeenCalledTimes(15);
});

test("an order that is not known yet, or not unpaid, is left alone", async () => {
  unpaid.value = false;
  const polling = awaiting();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refresh).not.toHaveBeenCalled();
  unpaid.value = true;
  await nextTick();
  expect(polling.value).toBe(true);
});

test("polling ends when the page is left", async () => {
  awaiting();
  scope.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refresh).not.toHaveBeenCalled();
});
