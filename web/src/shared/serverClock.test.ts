import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope } from "vue";
import { resetServerTime, syncServerTime, serverNowMs, useServerNow } from "./serverClock";

const NOON_MS = Date.UTC(2026, 10, 15, 12);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  resetServerTime();
  vi.useRealTimers();
});

test("the server's time goes on by itself", () => {
  syncServerTime(NOON_MS);
  vi.advanceTimersByTime(1500);
  expect(serverNowMs()).toBe(NOON_MS + 1500);
});

test("a watch that is set differently changes nothing", () => {
  syncServerTime(NOON_MS);
  vi.setSystemTime(NOON_MS + 3_600_000);
  expect(serverNowMs()).toBe(NOON_MS);
});

test("a slow reply does not set the clock back", () => {
  syncServerTime(NOON_MS);
  vi.advanceTimersByTime(5000);
  syncServerTime(NOON_MS + 2000);
  expect(serverNowMs()).toBe(NOON_MS + 5000);
});

test("a reply that was quick corrects one that was slow", () => {
  syncServerTime(NOON_MS);
  syncServerTime(NOON_MS + 800);
  expect(serverNowMs()).toBe(NOON_MS + 800);
});

test("any number of users share one timer, which ends with the last", () => {
  const scopes = [effectScope(), effectScope()];
  const [first] = scopes.map((scope) => scope.run(useServerNow));
  syncServerTime(NOON_MS);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(first?.value).toBe(NOON_MS + 1000);
  for (const scope of scopes) scope.stop();
  expect(vi.getTimerCount()).toBe(0);
});
