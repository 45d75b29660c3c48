import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope } from "vue";
import { useCountdown } from "./useCountdown";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function countdown() {
  const scope = effectScope();
  const it = scope.run(useCountdown);
  if (!it) throw new Error("the scope is active");
  return { scope, it };
}

test("it counts whole seconds down to zero and stops", () => {
  const { it } = countdown();
  it.start(3);
  const seen = [it.secsLeft.value];
  for (let second = 0; second < 3; second += 1) {
    vi.advanceTimersByTime(1000);
    seen.push(it.secsLeft.value);
  }
  expect(seen).toEqual([3, 2, 1, 0]);
  expect(vi.getTimerCount()).toBe(0);
});

test("a restart counts from the full time", () => {
  const { it } = countdown();
  it.start(3);
  it.start(10);
  vi.advanceTimersByTime(4000);
  expect(it.secsLeft.value).toBe(6);
  expect(vi.getTimerCount()).toBe(1);
});

test("leaving the page leaves no timer", () => {
  const { scope, it } = countdown();
  it.start(10);
  scope.stop();
  expect(vi.getTimerCount()).toBe(0);
});
