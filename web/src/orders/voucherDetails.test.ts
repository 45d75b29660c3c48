import { expect, test, vi } from "vitest";
import { ApiError } from "@/shared/api/client";
import type { Order } from "./api";
import { loadDetails, NO_DETAILS } from "./voucherDetails";

const ORDER = { id: "77", voucherId: 1, shopId: 4 } as Order;
const SHOP = { name: "面馆", address: "文三路 1 号", x: 120.1, y: 30.3, openHours: "10:00-22:00", score: 45 };
const gone = () => Promise.reject(new ApiError("voucher_not_found", "券已下架", 200));
const silent = () => Promise.reject(new ApiError("network", "", 0));

test("rules and shop are those of the order, without what only a list needs", async () => {
  const getOffer = vi.fn(async () => ({ rules: "不找零" }));
  const getShop = vi.fn(async () => SHOP);
  const details = await loadDetails(ORDER, { getOffer, getShop }, NO_DETAILS);
  expect(details).toMatchObject({ rules: "不找零", isComplete: true, shop: { name: "面馆", address: "文三路 1 号" } });
  expect(details.shop).not.toHaveProperty("score");
  expect([getOffer.mock.calls, getShop.mock.calls]).toEqual([[[1]], [[4]]]);
});

test("a voucher and a shop that are gone leave their part out, and are not asked for again", async () => {
  const details = await loadDetails(ORDER, { getOffer: gone, getShop: gone }, NO_DETAILS);
  expect(details).toEqual({ rules: undefined, shop: undefined, isComplete: true });
});

test("the rules that were known outlive the voucher", async () => {
  const known = { rules: "不找零", shop: SHOP, isComplete: true };
  const details = await loadDetails(ORDER, { getOffer: gone, getShop: async () => undefined }, known);
  expect(details).toEqual(known);
});

test("without a reply what was known stays, and more may come", async () => {
  const known = { rules: "不找零", isComplete: false };
  const details = await loadDetails(ORDER, { getOffer: silent, getShop: silent }, known);
  expect(details).toMatchObject({ rules: "不找零", isComplete: false });
});
