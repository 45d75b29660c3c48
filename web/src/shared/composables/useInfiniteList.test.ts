import { flushPromises } from "@vue/test-utils";
import { beforeEach, expect, test } from "vitest";
import { effectScope } from "vue";
import { clearHistoryCache } from "@/shared/historyCache";
import { useInfiniteList, type InfiniteListOptions, type ListPage } from "./useInfiniteList";

type Page = ListPage<number, number>;
const pageOf = (items: number[], next?: number): Page => ({ items, next });

/** A source whose pages are given by hand, in any order. */
function byHand(options: Partial<InfiniteListOptions<number, number>> = {}) {
  const requests: { cursor: number | undefined; reply: (page: Page) => void; fail: (error: Error) => void }[] = [];
  const load = (cursor: number | undefined) =>
    new Promise<Page>((reply, fail) => requests.push({ cursor, reply, fail }));
  const scope = effectScope();
  const list = scope.run(() => useInfiniteList<number>({ load, key: (item) => item, ...options }));
  if (list === undefined) throw new Error("a fresh scope runs");
  const reply = async (at: number, page: Page) => {
    requests[at]?.reply(page);
    await flushPromises();
  };
  const fail = async (at: number) => {
    requests[at]?.fail(new Error("down"));
    await flushPromises();
  };
  return { list, requests, reply, fail, scope };
}

beforeEach(() => {
  clearHistoryCache();
  window.history.replaceState({ position: 1 }, "");
});

test("pages follow the cursor until there is none", async () => {
  const { list, requests, reply } = byHand();
  expect(list.state.value).toBe("loading");
  await reply(0, pageOf([1, 2], 20));
  expect(list.state.value).toBe("ready");
  void list.loadMore();
  expect(list.state.value).toBe("more");
  await reply(1, pageOf([3]));
  expect(requests.map(({ cursor }) => cursor)).toEqual([undefined, 20]);
  expect([list.items.value, list.state.value]).toEqual([[1, 2, 3], "done"]);
  await list.loadMore();
  expect(requests).toHaveLength(2);
});

test("one page is loaded at a time", async () => {
  const { list, requests, reply } = byHand();
  await reply(0, pageOf([1], 2));
  void list.loadMore();
  void list.loadMore();
  expect(requests).toHaveLength(2);
});

test("an item that slid onto the next page is shown once", async () => {
  const { list, reply } = byHand();
  await reply(0, pageOf([3, 2], 2));
  void list.loadMore();
  await reply(1, pageOf([2, 1]));
  expect(list.items.value).toEqual([3, 2, 1]);
});

test("a failed page keeps the items above it, and can be retried", async () => {
  const { list, requests, reply, fail } = byHand();
  await reply(0, pageOf([1], 7));
  void list.loadMore();
  await fail(1);
  expect([list.items.value, list.state.value]).toEqual([[1], "failed"]);
  void list.loadMore();
  expect(requests[2]?.cursor).toBe(7);
});

test("a first page that failed can be tried again", async () => {
  const { list, reply, fail } = byHand();
  await fail(0);
  expect(list.state.value).toBe("failed");
  void list.loadMore();
  expect(list.state.value).toBe("loading");
  await reply(1, pageOf([1]));
  expect(list.items.value).toEqual([1]);
});

test("refreshing shows the old list until the new one is there", async () => {
  const { list, reply } = byHand();
  await reply(0, pageOf([1], 2));
  void list.refresh();
  expect([list.items.value, list.refreshing.value]).toEqual([[1], true]);
  await reply(1, pageOf([9, 1]));
  expect([list.items.value, list.refreshing.value]).toEqual([[9, 1], false]);
});

test("a page requested before a refresh is not added to the list after it", async () => {
  const { list, reply } = byHand();
  await reply(0, pageOf([1], 2));
  void list.loadMore();
  void list.refresh();
  await reply(2, pageOf([9]));
  await reply(1, pageOf([5]));
  expect(list.items.value).toEqual([9]);
});

test("another list in the same place shows nothing of the first", async () => {
  const { list, reply } = byHand();
  await reply(0, pageOf([1], 2));
  void list.loadMore();
  void list.restart();
  expect([list.items.value, list.state.value]).toEqual([[], "loading"]);
  await reply(2, pageOf([8]));
  await reply(1, pageOf([3]));
  expect(list.items.value).toEqual([8]);
});

test("an empty list says so only when it is known", async () => {
  const { list, reply } = byHand();
  expect(list.empty.value).toBe(false);
  await reply(0, pageOf([]));
  expect(list.empty.value).toBe(true);
});

test("nothing changes after the page is gone", async () => {
  const { list, reply, scope } = byHand();
  scope.stop();
  await reply(0, pageOf([1]));
  expect(list.items.value).toEqual([]);
});

test("after going back the list is as long as it was, and continues from there", async () => {
  const first = byHand({ cacheKey: "shops" });
  await first.reply(0, pageOf([1, 2], 2));
  void first.list.loadMore();
  await first.reply(1, pageOf([3, 4], 3));
  first.scope.stop();

  const back = byHand({ cacheKey: "shops" });
  expect([back.list.items.value, back.list.state.value]).toEqual([[1, 2, 3, 4], "ready"]);
  void back.list.loadMore();
  expect(back.requests.map(({ cursor }) => cursor)).toEqual([3]);
});

test("a list that was never loaded is not cached", () => {
  byHand({ cacheKey: "shops" }).scope.stop();
  expect(byHand({ cacheKey: "shops" }).list.state.value).toBe("loading");
});

test("a list is cached for its own entry of the history, and for its own user", async () => {
  const first = byHand({ cacheKey: "shops" });
  await first.reply(0, pageOf([1]));
  first.scope.stop();
  window.history.replaceState({ position: 2 }, "");
  expect(byHand({ cacheKey: "shops" }).list.items.value).toEqual([]);
  window.history.replaceState({ position: 1 }, "");
  clearHistoryCache();
  expect(byHand({ cacheKey: "shops" }).list.items.value).toEqual([]);
});
