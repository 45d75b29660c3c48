import { flushPromises } from "@vue/test-utils";
import { beforeEach, expect, test } from "vitest";
import { effectScope } from "vue";
import { forgetAll } from "@/shared/kept";
import { useEndlessList, type EndlessOptions, type ListPage } from "./useEndlessList";

type Page = ListPage<number, number>;
const pageOf = (items: number[], next?: number): Page => ({ items, next });

/** A source whose pages are given by hand, in any order. */
function byHand(options: Partial<EndlessOptions<number, number>> = {}) {
  const asked: { cursor: number | undefined; answer: (page: Page) => void; fail: (error: Error) => void }[] = [];
  const load = (cursor: number | undefined) =>
    new Promise<Page>((answer, fail) => asked.push({ cursor, answer, fail }));
  const scope = effectScope();
  const list = scope.run(() => useEndlessList<number>({ load, key: (item) => item, ...options }));
  if (list === undefined) throw new Error("a fresh scope runs");
  const answer = async (at: number, page: Page) => {
    asked[at]?.answer(page);
    await flushPromises();
  };
  const fail = async (at: number) => {
    asked[at]?.fail(new Error("down"));
    await flushPromises();
  };
  return { list, asked, answer, fail, scope };
}

beforeEach(() => {
  forgetAll();
  window.history.replaceState({ position: 1 }, "");
});

test("pages follow the cursor until there is none", async () => {
  const { list, asked, answer } = byHand();
  expect(list.state.value).toBe("loading");
  await answer(0, pageOf([1, 2], 20));
  expect(list.state.value).toBe("ready");
  void list.loadMore();
  expect(list.state.value).toBe("more");
  await answer(1, pageOf([3]));
  expect(asked.map(({ cursor }) => cursor)).toEqual([undefined, 20]);
  expect([list.items.value, list.state.value]).toEqual([[1, 2, 3], "done"]);
  await list.loadMore();
  expect(asked).toHaveLength(2);
});

test("one page is asked for at a time", async () => {
  const { list, asked, answer } = byHand();
  await answer(0, pageOf([1], 2));
  void list.loadMore();
  void list.loadMore();
  expect(asked).toHaveLength(2);
});

test("an item that slid onto the next page is shown once", async () => {
  const { list, answer } = byHand();
  await answer(0, pageOf([3, 2], 2));
  void list.loadMore();
  await answer(1, pageOf([2, 1]));
  expect(list.items.value).toEqual([3, 2, 1]);
});

test("a failed page keeps what is above it, and the same page can be tried again", async () => {
  const { list, asked, answer, fail } = byHand();
  await answer(0, pageOf([1], 7));
  void list.loadMore();
  await fail(1);
  expect([list.items.value, list.state.value]).toEqual([[1], "failed"]);
  void list.loadMore();
  expect(asked[2]?.cursor).toBe(7);
});

test("a first page that failed can be tried again", async () => {
  const { list, answer, fail } = byHand();
  await fail(0);
  expect(list.state.value).toBe("failed");
  void list.loadMore();
  expect(list.state.value).toBe("loading");
  await answer(1, pageOf([1]));
  expect(list.items.value).toEqual([1]);
});

test("refreshing shows the old list until the new one is there", async () => {
  const { list, answer } = byHand();
  await answer(0, pageOf([1], 2));
  void list.refresh();
  expect([list.items.value, list.refreshing.value]).toEqual([[1], true]);
  await answer(1, pageOf([9, 1]));
  expect([list.items.value, list.refreshing.value]).toEqual([[9, 1], false]);
});

test("a page asked for before a refresh does not land in the list after it", async () => {
  const { list, answer } = byHand();
  await answer(0, pageOf([1], 2));
  void list.loadMore();
  void list.refresh();
  await answer(2, pageOf([9]));
  await answer(1, pageOf([5]));
  expect(list.items.value).toEqual([9]);
});

test("another list in the same place shows nothing of the first", async () => {
  const { list, answer } = byHand();
  await answer(0, pageOf([1], 2));
  void list.loadMore();
  void list.restart();
  expect([list.items.value, list.state.value]).toEqual([[], "loading"]);
  await answer(2, pageOf([8]));
  await answer(1, pageOf([3]));
  expect(list.items.value).toEqual([8]);
});

test("an empty list says so only when it is known", async () => {
  const { list, answer } = byHand();
  expect(list.empty.value).toBe(false);
  await answer(0, pageOf([]));
  expect(list.empty.value).toBe(true);
});

test("nothing changes after the page is gone", async () => {
  const { list, answer, scope } = byHand();
  scope.stop();
  await answer(0, pageOf([1]));
  expect(list.items.value).toEqual([]);
});

test("whoever comes back finds the list as long as it was, and it goes on from there", async () => {
  const first = byHand({ keepAs: "shops" });
  await first.answer(0, pageOf([1, 2], 2));
  void first.list.loadMore();
  await first.answer(1, pageOf([3, 4], 3));
  first.scope.stop();

  const back = byHand({ keepAs: "shops" });
  expect([back.list.items.value, back.list.state.value]).toEqual([[1, 2, 3, 4], "ready"]);
  void back.list.loadMore();
  expect(back.asked.map(({ cursor }) => cursor)).toEqual([3]);
});

test("a list that never came is not kept", () => {
  byHand({ keepAs: "shops" }).scope.stop();
  expect(byHand({ keepAs: "shops" }).list.state.value).toBe("loading");
});

test("a list is kept for its own entry of the history, and for its own person", async () => {
  const first = byHand({ keepAs: "shops" });
  await first.answer(0, pageOf([1]));
  first.scope.stop();
  window.history.replaceState({ position: 2 }, "");
  expect(byHand({ keepAs: "shops" }).list.items.value).toEqual([]);
  window.history.replaceState({ position: 1 }, "");
  forgetAll();
  expect(byHand({ keepAs: "shops" }).list.items.value).toEqual([]);
});
