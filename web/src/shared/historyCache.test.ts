import { beforeEach, expect, test } from "vitest";
import type { RouterHistory } from "vue-router";
import { clearHistoryCache, historyCache, trackHistory } from "./historyCache";

/** A browser's history: pushing and going change the position that the router writes into its state. */
function browser() {
  const listeners: (() => void)[] = [];
  const setPosition = (position: number) => window.history.replaceState({ position }, "");
  setPosition(0);
  const tracker = trackHistory({ listen: (listener: () => void) => listeners.push(listener) } as unknown as RouterHistory);
  return {
    push: (position: number) => {
      setPosition(position);
      tracker.onNavigated();
    },
    go: (position: number) => {
      setPosition(position);
      for (const listener of listeners) listener();
      tracker.onNavigated();
    },
  };
}

beforeEach(clearHistoryCache);

test("cached values are there after going back and forward", () => {
  const { push, go } = browser();
  push(1);
  historyCache().set("list", "one");
  push(2);
  historyCache().set("list", "two");
  go(1);
  expect(historyCache().get("list")).toBe("one");
  go(2);
  expect(historyCache().get("list")).toBe("two");
});

test("a new navigation finds nothing, although its position had values before", () => {
  const { push, go } = browser();
  push(1);
  historyCache().set("list", "old");
  go(0);
  push(1);
  expect(historyCache().get("list")).toBeUndefined();
});

test("replacing the URL drops nothing", () => {
  const { push } = browser();
  push(1);
  historyCache().set("list", "one");
  push(1);
  expect(historyCache().get("list")).toBe("one");
});

test("a page of the previous user caches nothing for the next", () => {
  browser();
  const cache = historyCache();
  clearHistoryCache();
  cache.set("list", "secret");
  expect(historyCache().get("list")).toBeUndefined();
});

test("only the latest entries are cached", () => {
  const { push } = browser();
  for (let position = 1; position <= 30; position += 1) {
    push(position);
    historyCache().set("list", position);
  }
  window.history.replaceState({ position: 1 }, "");
  expect(historyCache().get("list")).toBeUndefined();
  window.history.replaceState({ position: 30 }, "");
  expect(historyCache().get("list")).toBe(30);
});
