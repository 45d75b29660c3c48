import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope } from "vue";
import { forgetServerTime, hearServerTime, serverNowMs, useServerNow } from "./serverClock";

const NOON_MS = Date.UTC(2026, 10, 15, 12);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  forgetServerTime();
  vi.useRealTimers();
});

test("the server's time goes on by itself", () => {
  hearServerTime(NOON_MS);
  vi.advanceTimersByTime(1500);
  expect(serverNowMs()).toBe(NOON_MS + 1500);
});

test("a watch that is set differently changes nothing", () => {
  hearServerTime(NOON_MS);
  vi.setSystemTime(NOON_MS + 3_600_000);
  expect(serverNowMs()).toBe(NOON_MS);
});

test("a reply that was long on its way does not set the clock back", () => {
  hearServerTime(NOON_MS);
  vi.advanceTimersByTime(5000);
  hearServerTime(NOON_MS + 2000);
  expect(serverNowMs()).toBe(NOON_MS + 5000);
});

test("a reply that was quick corrects one that was slow", () => {
  hearServerTime(NOON_MS);
  hearServerTime(NOON_MS + 800);
  expect(serverNowMs()).toBe(NOON_MS + 800);
});

test("however many look, there is one timer, and none when they are gone", () => {
  const scopes = [effectScope(), effectScope()];
  const [first] = scopes.map((scope) => scope.run(useServerNow));
  hearServerTime(NOON_MS);
  expect(vi.getTimerCount()).toBe(1);
  vi.advanceTimersByTime(1000);
  expect(first?.value).toBe(NOON_MS + 1000);
  for (const scope of scopes) scope.stop();
  expect(vi.getTimerCount()).toBe(0);
});
