import { flushPromises } from "@vue/test-utils";
import { beforeEach, expect, test } from "vitest";
import { createMemoryHistory, createRouter } from "vue-router";
import { ok, refusal, serve, unauthorized, withSetup, type Reply } from "@/shared/testing";
import { useFavourite } from "./useFavourite";

const ME = ok({ id: 7, nickName: "小满", icon: "", roles: ["user"] });
const SHOP = "/api/favourite/shop/4";

const blank = { render: () => null };
const routes = [
  { path: "/shop/:id", component: blank },
  { path: "/sign-in", name: "sign-in", component: blank },
];

async function onShop(table: Record<string, Reply | (() => Reply | Promise<Reply>)>) {
  const requests = serve({ "GET /api/user/me": ME, ...table });
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push("/shop/4");
  const { result } = await withSetup(() => useFavourite(4), router);
  const sent = () => requests.map(({ line }) => line).filter((line) => !line.startsWith("GET"));
  return { favourite: result, router, sent };
}

/** A reply that the test gives when it likes. */
function held() {
  const waiting: ((reply: Reply) => void)[] = [];
  const reply = () => new Promise<Reply>((resolve) => waiting.push(resolve));
  return { reply, give: (given: Reply) => waiting.shift()?.(given) };
}

beforeEach(() => localStorage.setItem("tandian.signedIn", "yes"));

test("what is kept already is shown as kept", async () => {
  const { favourite } = await onShop({ [`GET ${SHOP}`]: ok({ listId: 12 }) });
  await favourite.load();
  expect(favourite.listId.value).toBe(12);
});

test("a tap shows before the server has answered", async () => {
  const put = held();
  const { favourite } = await onShop({ [`PUT ${SHOP}`]: put.reply });
  const toggled = favourite.toggle();
  await flushPromises();
  expect(favourite.listId.value).toBe(0);
  put.give(ok());
  expect(await toggled).toBe(true);
  expect(favourite.listId.value).toBe(0);
});

test("a failed request gives back what was there", async () => {
  const { favourite } = await onShop({ [`GET ${SHOP}`]: ok({ listId: 12 }), [`DELETE ${SHOP}`]: refusal("busy", "系统繁忙") });
  await favourite.load();
  expect(await favourite.toggle()).toBe(false);
  expect(favourite.listId.value).toBe(12);
  expect(await favourite.toggle()).toBe(false);
});

test("of hasty taps the last one stays, and the requests go one after another", async () => {
  const put = held();
  const { favourite, sent } = await onShop({ [`PUT ${SHOP}`]: put.reply, [`DELETE ${SHOP}`]: ok() });
  const first = favourite.toggle();
  await flushPromises();
  await favourite.toggle();
  expect(favourite.listId.value).toBeNull();
  expect(sent()).toEqual([`PUT ${SHOP}`]);
  put.give(ok());
  expect(await first).toBe(true);
  expect(sent()).toEqual([`PUT ${SHOP}`, `DELETE ${SHOP}`]);
  expect(favourite.listId.value).toBeNull();
});

test("three taps in a row send no more than what is needed", async () => {
  const put = held();
  const { favourite, sent } = await onShop({ [`PUT ${SHOP}`]: put.reply });
  const first = favourite.toggle();
  await flushPromises();
  await favourite.toggle();
  await favourite.toggle();
  put.give(ok());
  await first;
  expect(sent()).toEqual([`PUT ${SHOP}`]);
  expect(favourite.listId.value).toBe(0);
});

test("a reply about before the tap does not undo it", async () => {
  const get = held();
  const { favourite } = await onShop({ [`GET ${SHOP}`]: get.reply, [`PUT ${SHOP}`]: ok() });
  const loaded = favourite.load();
  await flushPromises();
  await favourite.toggle();
  get.give(ok({}));
  await loaded;
  expect(favourite.listId.value).toBe(0);
});

test("a visitor is sent to sign in and back", async () => {
  localStorage.clear();
  const { favourite, router, sent } = await onShop({ "GET /api/user/me": unauthorized });
  await favourite.load();
  expect(await favourite.toggle()).toBe(false);
  expect(router.currentRoute.value).toMatchObject({ name: "sign-in", query: { next: "/shop/4" } });
  expect(sent()).toEqual([]);
  expect(favourite.listId.value).toBeNull();
});
