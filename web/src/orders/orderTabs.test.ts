import { afterEach, expect, test, vi } from "vitest";
import { ok, serve } from "@/shared/testing";
import { loadOrders, ORDER_TABS, statusOf, tabOf } from "./orderTabs";

afterEach(() => vi.unstubAllGlobals());

test("every list can be found again by its address", () => {
  for (const tab of ORDER_TABS) expect(tabOf(String(statusOf(tab)))).toBe(tab);
});

test.each([
  ["1", "unpaid"],
  ["5", "refund"],
  ["6", "refund"],
  [undefined, "all"],
  ["9", "all"],
  [["1", "2"], "all"],
])("status %j is in the list %s", (status, tab) => {
  expect(tabOf(status)).toBe(tab);
});

const order = (id: string) => ({ id });

test("refunds under way come before those that are done, and none is left out", async () => {
  serve({
    "GET /api/voucher-order/of/me?status=5": ok({ list: [order("9")], cursor: "9" }),
    "GET /api/voucher-order/of/me?status=5&cursor=9": ok({ list: [] }),
    "GET /api/voucher-order/of/me?status=6": ok({ list: [order("4")] }),
  });
  const seen: string[] = [];
  let next: Awaited<ReturnType<typeof loadOrders>>["next"];
  do {
    const page = await loadOrders("refund", next);
    seen.push(...page.items.map((item) => item.id));
    next = page.next;
  } while (next !== undefined);
  expect(seen).toEqual(["9", "4"]);
});

test("all orders are one list", async () => {
  const requests = serve({ "GET /api/voucher-order/of/me": ok({ list: [order("9")] }) });
  expect(await loadOrders("all")).toEqual({ items: [order("9")], next: undefined });
  expect(requests).toHaveLength(1);
});
