import { mount, RouterLinkStub } from "@vue/test-utils";
import { afterEach, expect, test } from "vitest";
import { ApiError } from "@/shared/api/client";
import { resetServerTime, syncServerTime } from "@/shared/serverClock";
import { plugins } from "@/shared/testing";
import ClaimButton from "./ClaimButton.vue";
import type { ClaimState } from "./useClaim";

afterEach(resetServerTime);

async function show(state: ClaimState) {
  const global = { plugins: await plugins(), stubs: { RouterLink: RouterLinkStub } };
  return mount(ClaimButton, { props: { state, beginAtMs: 61_000 }, global });
}

test("while it waits, it counts down by the server's clock and cannot be pressed", async () => {
  syncServerTime(1_000);
  const button = await show({ name: "waiting" });
  expect(button.get("button").text()).toMatch(/距开抢\s*00:01:00/);
  expect(button.get("button").attributes("disabled")).toBeDefined();
});

test("open, it can be pressed", async () => {
  const button = await show({ name: "open" });
  await button.get("button").trigger("click");
  expect(button.emitted("press")).toHaveLength(1);
});

test.each(["sending", "busy"] as const)("%s, a press does nothing", async (name) => {
  const button = await show({ name });
  await button.get("button").trigger("click");
  expect(button.emitted("press")).toBeUndefined();
  expect(button.get("[role=status]").text()).not.toBe("");
});

test("in doubt, it says that nothing is bought twice", async () => {
  const button = await show({ name: "in_doubt", orderId: undefined });
  expect(button.get("[role=status]").text()).toContain("不会重复下单");
});

test("a user with an order gets a link to it", async () => {
  const button = await show({ name: "already_bought", orderId: "77" });
  expect(button.findComponent(RouterLinkStub).props("to")).toEqual({ name: "order", params: { id: "77" } });
});

test.each(["sold_out", "ended"] as const)("%s, there is nothing to press", async (name) => {
  const button = await show({ name });
  expect(button.get("button").attributes("disabled")).toBeDefined();
});

test("a refusal is shown in the server's words, and can be tried again", async () => {
  const button = await show({ name: "failed", error: new ApiError("forbidden", "没有权限", 403) });
  expect(button.get("[role=status]").text()).toBe("没有权限");
  await button.get("button").trigger("click");
  expect(button.emitted("press")).toHaveLength(1);
});
