import { createPinia, setActivePinia } from "pinia";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useSessionStore } from "@/account/sessionStore";
import { ok, serve, unauthorized } from "@/shared/testing";
import type { Order } from "./api";
import { startKeeping } from "./keeping";
import { keepOrders, listKept, openKept } from "./keptOrders";

const ME = { id: 7, nickName: "小满", icon: "", roles: ["user"] };
const ORDER = { id: "1", userId: 7, status: 2, redeemCode: "1", redeemQr: "1", createTime: "2026-11-01T10:00:00" } as Order;

beforeEach(() => {
  localStorage.clear();
  setActivePinia(createPinia());
  openKept(ME.id);
  keepOrders([ORDER], 1);
  localStorage.setItem("tandian.signedIn", "yes");
});
afterEach(() => vi.unstubAllGlobals());

function started() {
  const session = useSessionStore();
  startKeeping(session);
  return session;
}

test("without a network they stay", async () => {
  serve({});
  await started().ensure();
  expect(listKept()).toHaveLength(1);
});

test("the same user keeps them", async () => {
  serve({ "GET /api/user/me": ok(ME) });
  await started().ensure();
  expect(listKept()).toHaveLength(1);
});

test("another account wipes them", async () => {
  serve({ "GET /api/user/me": ok({ ...ME, id: 8 }) });
  await started().ensure();
  expect(listKept()).toEqual([]);
});

test("a session that the server has ended wipes them", async () => {
  serve({ "GET /api/user/me": unauthorized });
  await started().ensure();
  expect(localStorage.getItem("tandian.orders")).toBeNull();
});

test("a 401 in the middle of a visit wipes them at once", async () => {
  serve({ "GET /api/user/me": ok(ME) });
  const session = started();
  await session.ensure();
  session.forget();
  expect(localStorage.getItem("tandian.orders")).toBeNull();
});

test("signing out wipes them", async () => {
  serve({ "GET /api/user/me": ok(ME), "POST /api/user/logout": ok() });
  const session = started();
  await session.ensure();
  await session.signOut();
  expect(localStorage.getItem("tandian.orders")).toBeNull();
});

test("so does wishing to, when the server cannot be told; what is loaded later is kept again", async () => {
  serve({ "GET /api/user/me": ok(ME) });
  const session = started();
  await session.ensure();
  await expect(session.signOut()).rejects.toMatchObject({ code: "network" });
  expect(listKept()).toEqual([]);
  keepOrders([ORDER], 2);
  expect(listKept()).toHaveLength(1);
});

test("a browser that nobody is signed in to has none", () => {
  localStorage.removeItem("tandian.signedIn");
  serve({});
  started();
  expect(localStorage.getItem("tandian.orders")).toBeNull();
});
