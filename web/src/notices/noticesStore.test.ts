import { flushPromises } from "@vue/test-utils";
import { createPinia, setActivePinia } from "pinia";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSessionStore } from "@/account/sessionStore";
import { FakeStream, ok, serve } from "@/shared/testing";
import { useNoticesStore } from "./noticesStore";

const ME = { id: 7, nickName: "小满", icon: "", roles: ["user" as const] };
const NOTICE = { id: 3, kind: "order_paid", orderId: "77", isRead: false, createTime: "", createdAtMs: 1 };

beforeEach(() => {
  localStorage.clear();
  setActivePinia(createPinia());
  vi.stubGlobal("EventSource", FakeStream);
  FakeStream.all = [];
});
afterEach(() => vi.unstubAllGlobals());

function unreadIs(unread: () => number) {
  return serve({
    "GET /api/notices?size=1": () => ok({ list: [], unread: unread() }),
    "POST /api/notices/read": () => ok({ unread: 0 }),
    "GET /api/user/me": ok(ME),
  });
}

async function signedIn() {
  const store = useNoticesStore();
  await useSessionStore().refresh();
  await flushPromises();
  return store;
}

test("a visitor gets no notices, and costs no request", () => {
  const requests = unreadIs(() => 0);
  useNoticesStore();
  expect(requests).toEqual([]);
  expect(FakeStream.all).toEqual([]);
});

test("the server counts: at once, when a stream begins, and whenever something arrives", async () => {
  let unread = 1;
  unreadIs(() => unread);
  const store = await signedIn();
  expect(store.unread).toBe(1);
  unread = 2;
  FakeStream.last().open();
  await flushPromises();
  expect(store.unread).toBe(2);
  unread = 3;
  FakeStream.last().emit("notice", JSON.stringify(NOTICE));
  await flushPromises();
  expect(store.unread).toBe(3);
  expect(store.latest).toMatchObject({ orderId: "77" });
});

test("what was read is counted no more", async () => {
  unreadIs(() => 5);
  const store = await signedIn();
  FakeStream.last().open();
  await flushPromises();
  await store.markRead(3);
  expect(store.unread).toBe(0);
});

test("the notices of one user are not shown to the next", async () => {
  unreadIs(() => 5);
  const store = await signedIn();
  FakeStream.last().open();
  FakeStream.last().emit("notice", JSON.stringify(NOTICE));
  await flushPromises();
  useSessionStore().forget();
  await flushPromises();
  expect([store.unread, store.latest]).toEqual([0, null]);
  expect(FakeStream.last().readyState).toBe(FakeStream.CLOSED);
});

test("a number that arrives late does not undo that they were read", async () => {
  let answer: (unread: number) => void = () => undefined;
  serve({
    "GET /api/notices?size=1": () => new Promise((resolve) => (answer = (unread) => resolve(ok({ list: [], unread })))),
    "POST /api/notices/read": ok({ unread: 0 }),
    "GET /api/user/me": ok(ME),
  });
  const store = await signedIn();
  await store.markRead(3);
  answer(5);
  await flushPromises();
  expect(store.unread).toBe(0);
});
