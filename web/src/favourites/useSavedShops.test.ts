import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import { ref } from "vue";
import { createMemoryHistory, createRouter } from "vue-router";
import { ok, refusal, serve, withSetup, type Reply } from "@/shared/testing";
import { useSavedShops } from "./useSavedShops";

const ME = ok({ id: 7, nickName: "小满", icon: "", roles: ["user"] });
const saved = (shopId: number) => ({ shopId, savedAtMs: 0 });

async function onPage(table: Record<string, Reply | (() => Reply | Promise<Reply>)>, list = ref(0)) {
  const requests = serve({ "GET /api/user/me": ME, "GET /api/favourite?list=0": ok({ list: [saved(1), saved(2)] }), ...table });
  const routes = [{ path: "/me/favourites", component: { render: () => null } }];
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push("/me/favourites");
  const { result } = await withSetup(() => useSavedShops(list), router);
  await flushPromises();
  return { page: result, ids: () => result.shops.value.map((shop) => shop.shopId), requests };
}

test("a removed shop leaves at once and stays away", async () => {
  const { page, ids } = await onPage({ "DELETE /api/favourite/shop/1": ok() });
  const removed = page.move(1, null);
  expect(ids()).toEqual([2]);
  expect(await removed).toBe(true);
  expect(ids()).toEqual([2]);
  expect(page.frame.value.count).toBe(1);
});

test("a shop whose removal failed comes back to its place", async () => {
  const { page, ids } = await onPage({ "DELETE /api/favourite/shop/1": refusal("busy", "系统繁忙") });
  expect(await page.move(1, null)).toBe(false);
  expect(ids()).toEqual([1, 2]);
});

test("a second tap sends nothing, and neither does a move to the list it is in", async () => {
  const { page, requests } = await onPage({ "PUT /api/favourite/shop/1": ok() });
  expect(await Promise.all([page.move(1, 12), page.move(1, 12)])).toEqual([true, false]);
  expect(await page.move(2, 0)).toBe(false);
  const moves = requests.filter(({ line }) => line.startsWith("PUT"));
  expect(moves.map(({ body }) => body)).toEqual([{ listId: 12 }]);
});

test("another list is loaded in its place", async () => {
  const list = ref(0);
  const { page, ids } = await onPage({ "DELETE /api/favourite/shop/1": ok(), "GET /api/favourite?list=12": ok({ list: [saved(1)] }) }, list);
  await page.move(1, null);
  list.value = 12;
  await page.restart();
  expect(ids()).toEqual([1]);
});
