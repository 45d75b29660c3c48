import { beforeEach, expect, test } from "vitest";
import type { RouterHistory } from "vue-router";
import { forgetAll, keeperHere, watchHistory } from "./kept";

/** A browser's history: pushing and going change the position that the router writes into its state. */
function browser() {
  const listeners: (() => void)[] = [];
  const stand = (position: number) => window.history.replaceState({ position }, "");
  stand(0);
  const ways = watchHistory({ listen: (listener: () => void) => listeners.push(listener) } as unknown as RouterHistory);
  return {
    push: (position: number) => {
      stand(position);
      ways.arrived();
    },
    go: (position: number) => {
      stand(position);
      for (const listener of listeners) listener();
      ways.arrived();
    },
  };
}

beforeEach(forgetAll);

test("what was kept is there on the way back and on the way forward again", () => {
  const { push, go } = browser();
  push(1);
  keeperHere().keep("list", "one");
  push(2);
  keeperHere().keep("list", "two");
  go(1);
  expect(keeperHere().recall("list")).toBe("one");
  go(2);
  expect(keeperHere().recall("list")).toBe("two");
});

test("arriving anew finds nothing, though somebody stood there before", () => {
  const { push, go } = browser();
  push(1);
  keeperHere().keep("list", "old");
  go(0);
  push(1);
  expect(keeperHere().recall("list")).toBeUndefined();
});

test("changing the address in place forgets nothing", () => {
  const { push } = browser();
  push(1);
  keeperHere().keep("list", "one");
  push(1);
  expect(keeperHere().recall("list")).toBe("one");
});

test("a page of the person before keeps nothing for the next", () => {
  browser();
  const keeper = keeperHere();
  forgetAll();
  keeper.keep("list", "secret");
  expect(keeperHere().recall("list")).toBeUndefined();
});

test("only the latest entries are kept", () => {
  const { push } = browser();
  for (let position = 1; position <= 30; position += 1) {
    push(position);
    keeperHere().keep("list", position);
  }
  window.history.replaceState({ position: 1 }, "");
  expect(keeperHere().recall("list")).toBeUndefined();
  window.history.replaceState({ position: 30 }, "");
  expect(keeperHere().recall("list")).toBe(30);
});
