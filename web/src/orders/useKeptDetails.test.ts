import { beforeEach, expect, test, vi } from "vitest";
import { effectScope } from "vue";
import { ApiError } from "@/shared/api/client";
import type { Order } from "./api";
import { keepOrders, keptOrder, openKept } from "./keptOrders";
import { useKeptDetails } from "./useKeptDetails";

const SHOP = { name: "面馆", address: "文三路 1 号", x: 120.1, y: 30.3 };
const order = (id: string, voucherId: number): Order =>
  ({ id, userId: 7, voucherId, shopId: 4, status: 2, redeemCode: "1", redeemQr: "1", createTime: `2026-11-0${id}T10:00:00` }) as Order;

beforeEach(() => {
  localStorage.clear();
  openKept(7);
  keepOrders([order("1", 1), order("2", 1), order("3", 2)], 1);
});

test("orders seen in a list get their details, each voucher and shop asked for once", async () => {
  const getOffer = vi.fn(async (id: number) => ({ rules: `规则${id}` }));
  const getShop = vi.fn(async () => SHOP);
  const fill = effectScope().run(() => useKeptDetails({ getOffer, getShop }));
  await fill?.();
  expect(["1", "2", "3"].map((id) => keptOrder(id)?.details.rules)).toEqual(["规则1", "规则1", "规则2"]);
  expect(keptOrder("1")?.details.shop?.address).toBe("文三路 1 号");
  expect([getOffer.mock.calls.length, getShop.mock.calls.length]).toEqual([2, 1]);
});

test("without a reply it ends, and does not ask for ever", async () => {
  const getOffer = vi.fn(() => Promise.reject(new ApiError("network", "", 0)));
  const fill = effectScope().run(() => useKeptDetails({ getOffer, getShop: async () => SHOP }));
  await fill?.();
  expect(getOffer).toHaveBeenCalledTimes(1);
});

test("it ends with the page", async () => {
  const scope = effectScope();
  const getOffer = vi.fn(async () => {
    scope.stop();
    return {};
  });
  await scope.run(() => useKeptDetails({ getOffer, getShop: async () => SHOP }))?.();
  expect(getOffer).toHaveBeenCalledTimes(1);
});
