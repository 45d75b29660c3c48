import { flushPromises, mount } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMemoryHistory, createRouter } from "vue-router";
import { routes } from "@/router";
import { ok, plugins, serve } from "@/shared/testing";
import BalancePage from "./BalancePage.vue";

const ENTRIES = "GET /api/user/balance/entries";

beforeEach(() => {
  vi.stubGlobal("IntersectionObserver", class { observe() {} disconnect() {} });
});
afterEach(() => vi.unstubAllGlobals());

async function page() {
  const router = createRouter({ history: createMemoryHistory(), routes });
  const shown = mount(BalancePage, { global: { plugins: [...(await plugins()), router] } });
  await flushPromises();
  return shown;
}

test("the balance is that of the newest entry, and amounts have their signs", async () => {
  const order = { id: "7", title: "50元代金券", shopId: 3, shopName: "茶餐厅" };
  serve({
    [ENTRIES]: ok({
      list: [
        { id: 3, kind: "refund", amount: 4500, balanceAfter: 10_000, createTime: "2026-11-19T09:05:00", order },
        { id: 2, kind: "payment", amount: -4500, balanceAfter: 5500, createTime: "2026-11-18T20:00:00", order },
        { id: 1, kind: "opening_credit", amount: 10_000, balanceAfter: 10_000, createTime: "2026-11-18T08:00:00" },
      ],
    }),
  });
  const shown = await page();
  expect(shown.get("[data-test=balance]").text()).toBe("¥100");
  expect(shown.findAll("[data-test=amount]").map((it) => it.text())).toEqual(["+¥45", "−¥45", "+¥100"]);
  expect(shown.findAll(".day")).toHaveLength(2);
  expect(shown.get("[data-test=booked-order]").attributes("href")).toBe("/order/7");
  expect(shown.text()).toContain("余额 ¥55");
});

test("nothing booked is a balance of nothing", async () => {
  serve({ [ENTRIES]: ok({ list: [] }) });
  const shown = await page();
  expect(shown.get("[data-test=balance]").text()).toBe("¥0");
  expect(shown.text()).toContain("还没有收支记录");
});

test("while it is not known no balance is shown", async () => {
  serve({});
  const shown = await page();
  expect(shown.find("[data-test=balance]").exists()).toBe(false);
  expect(shown.find(".balance").exists()).toBe(false);
  expect(shown.text()).toContain("重试");
});
