import { afterEach, expect, test, vi } from "vitest";
import { ok, refusal, serve } from "@/shared/testing";
import { groupDigits, useRedeem } from "./useRedeem";

afterEach(() => vi.unstubAllGlobals());

test.each([
  ["", ""],
  ["2311", "2311"],
  ["23115", "2311 5"],
  ["2311549043182862", "2311 5490 4318 2862"],
  [" 2311-5490 4318x2862 99", "2311 5490 4318 2862"],
])("what is typed as %j is shown as %j", (typed, shown) => {
  expect(groupDigits(typed)).toBe(shown);
});

test("a voucher that is redeemed is listed before the earlier ones", async () => {
  let orders = 0;
  serve({ "POST /api/voucher-order/redeem": () => ok({ orderId: String(++orders), title: "券", actualValue: 3000 }) });
  const { submit, redeemed } = useRedeem();
  expect([await submit("1"), await submit("2")]).toEqual([true, true]);
  expect(redeemed.value.map((used) => used.orderId)).toEqual(["2", "1"]);
});

test("a refusal is shown, and nothing is listed", async () => {
  serve({ "POST /api/voucher-order/redeem": refusal("redeem_used", "该券已使用") });
  const { submit, redeemed, error, inDoubt } = useRedeem();
  expect(await submit("1")).toBe(false);
  expect(error.value).toMatchObject({ code: "redeem_used" });
  expect([inDoubt.value, redeemed.value.length]).toEqual([false, 0]);
});

test("silence is not redeemed for a refusal", async () => {
  serve({});
  const { submit, inDoubt } = useRedeem();
  expect(await submit("1")).toBe(false);
  expect(inDoubt.value).toBe(true);
});
