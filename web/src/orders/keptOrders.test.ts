import { beforeEach, expect, test, vi } from "vitest";
import type { Order } from "./api";
import { dropKept, keepDetails, keepOrders, KEPT_MAX, keptOrder, listKept, openKept, retainKept, wipeKept } from "./keptOrders";

const ME = 7;
const SOMEBODY = 8;
const stored = () => JSON.stringify({ ...localStorage });
const ids = () => listKept().map(({ order }) => order.id);

function paid(id: string, more: Partial<Order> = {}): Order {
  const day = String((Number(id) % 28) + 1).padStart(2, "0");
  return {
    id,
    userId: ME,
    voucherId: 1,
    shopId: 4,
    title: `券${id}`,
    payValue: 990,
    actualValue: 3000,
    payType: 2,
    status: 2,
    createTime: `2026-11-${day}T10:00:00`,
    redeemCode: `secret-${id}`,
    redeemQr: `qr-${id}`,
    ...more,
  };
}

beforeEach(() => {
  localStorage.clear();
  openKept(ME);
});

test("a paid order is kept with its code, its QR text and when that was so", () => {
  keepOrders([paid("1")], 1_000);
  expect(keptOrder("1")).toMatchObject({ asOfMs: 1_000, order: { redeemCode: "secret-1", redeemQr: "qr-1" } });
});

test.each([1, 3, 4, 5, 6])("an order of status %i is not kept, and its copy is removed", (status) => {
  keepOrders([paid("1"), paid("2")], 1);
  keepOrders([paid("1", { status })], 2);
  expect(ids()).toEqual(["2"]);
});

test("a refresh replaces the order and keeps its details", () => {
  keepOrders([paid("1")], 1);
  keepDetails("1", { rules: "不找零", isComplete: true });
  keepOrders([paid("1", { title: "新名" })], 2);
  expect(keptOrder("1")).toMatchObject({ asOfMs: 2, order: { title: "新名" }, details: { rules: "不找零" } });
});

test("the newest are kept, whatever the order in which they were seen", () => {
  const at = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString().slice(0, 19);
  const all = Array.from({ length: KEPT_MAX + 10 }, (_, n) => paid(String(n), { createTime: at(n) }));
  keepOrders(all.slice(30), 1);
  keepOrders(all.slice(0, 30), 2);
  expect(listKept()).toHaveLength(KEPT_MAX);
  expect(ids()[0]).toBe(String(KEPT_MAX + 9));
  expect(ids().at(-1)).toBe("10");
});

test("orders that are not among all usable ones are dropped", () => {
  keepOrders([paid("1"), paid("2")], 1);
  retainKept(new Set(["2"]));
  expect(ids()).toEqual(["2"]);
  dropKept("2");
  expect(ids()).toEqual([]);
});

test("signing out leaves nothing, and a reply that comes after it is not kept", () => {
  keepOrders([paid("1")], 1);
  wipeKept();
  keepOrders([paid("2")], 2);
  keepDetails("1", { rules: "不找零", isComplete: true });
  expect(stored()).toBe("{}");
});

test("the next user finds nothing of the one before, whose late replies are not kept", () => {
  keepOrders([paid("1")], 1);
  openKept(SOMEBODY);
  keepOrders([paid("2"), paid("3", { userId: SOMEBODY })], 2);
  expect(ids()).toEqual(["3"]);
  expect(stored()).not.toMatch(/secret-[12]/);
});

test("the same user finds what was kept", () => {
  keepOrders([paid("1")], 1);
  openKept(ME);
  expect(ids()).toEqual(["1"]);
});

test.each(["nonsense", '{"owner":7,"list":[{"order":{}}]}', "null"])("%s in the storage is nobody's", (text) => {
  localStorage.setItem("tandian.orders", text);
  expect(listKept()).toEqual([]);
  openKept(ME);
  keepOrders([paid("1")], 1);
  expect(ids()).toEqual(["1"]);
});

test("a full storage keeps nothing rather than what was so before", () => {
  keepOrders([paid("1")], 1);
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  keepOrders([paid("1", { status: 3 })], 2);
  expect(ids()).toEqual([]);
});
