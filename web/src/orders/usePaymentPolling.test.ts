import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope, nextTick, ref, type EffectScope } from "vue";
import { usePaymentPolling } from "./usePaymentPolling";

const unpaid = ref(true);
const refresh = vi.fn<() => Promise<boolean>>();
let scope: EffectScope;

beforeEach(() => {
  vi.useFakeTimers();
  unpaid.value = true;
  refresh.mockReset().mockResolvedValue(true);
  scope = effectScope();
});
afterEach(() => {
  scope.stop();
  vi.useRealTimers();
});

function awaiting() {
  const it = scope.run(() => usePaymentPolling(() => unpaid.value, refresh));
  if (!it) throw new Error("the scope is active");
  return it;
}

test("an order is polled until it is paid", async () => {
  refresh.mockImplementation(async () => {
    unpaid.value = refresh.mock.calls.length < 3;
    return true;
  });
  const { polling } = awaiting();
  expect(polling.value).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(polling.value).toBe(false);
  expect(refresh).toHaveBeenCalledTimes(3);
});

test("a payment that does not come is not waited for for ever", async () => {
  const { polling } = awaiting();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(polling.value).toBe(true);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(polling.value).toBe(false);
  expect(refresh).toHaveBeenCalledTimes(15);
});

test("a payment that three replies do not confirm has failed, unless it comes after all", async () => {
  const { failed } = awaiting();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(failed.value).toBe(false);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(failed.value).toBe(true);
  unpaid.value = false;
  expect(failed.value).toBe(false);
});

test("silence is not taken for a failure", async () => {
  refresh.mockResolvedValue(false);
  const { failed } = awaiting();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(failed.value).toBe(false);
});

test("an order that is not known yet, or not unpaid, is left alone", async () => {
  unpaid.value = false;
  const { polling } = awaiting();
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
