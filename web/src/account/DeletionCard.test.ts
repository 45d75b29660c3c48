import { flushPromises, mount } from "@vue/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { ok, plugins, refusal, serve, type Reply } from "@/shared/testing";
import DeletionCard from "./DeletionCard.vue";
import type { Deletion } from "./personalDataApi";

vi.mock("@/shared/dialog", () => ({ confirm: async () => true }));
afterEach(() => vi.unstubAllGlobals());

const FREE: Deletion = { graceDays: 7, obstacles: [] };
const DUE_MS = Date.UTC(2026, 10, 15);
const SENT = ok({ sentTo: "139****0001", demoCode: "123456", retryAfterSecs: 60 });

async function card(deletion: Deletion, table: Record<string, Reply> = {}) {
  const requests = serve(table);
  const global = { plugins: await plugins(), stubs: { RouterLink: { props: ["to"], template: "<a><slot /></a>" } } };
  const it = mount(DeletionCard, { props: { deletion }, global });
  const press = async (test: string) => {
    await it.get(`[data-test=${test}]`).trigger("click");
    await flushPromises();
  };
  const submit = async () => {
    await it.get("form").trigger("submit");
    await flushPromises();
  };
  return { it, requests, press, submit };
}

test("it says what goes and what stays, and asks for a code before anything is sent", async () => {
  const { it, requests, press, submit } = await card(FREE, { "POST /api/user/confirmation": SENT });
  expect(it.text()).toContain("7 天后");
  expect(it.text()).toContain("会保留：订单和付款记录");
  await press("delete-account");
  await submit();
  expect(it.text()).toContain("请输入验证码");
  expect(requests).toEqual([]);
  await press("send-code");
  expect(it.text()).toContain("已发送至 139****0001");
});

test("a confirmed wish is sent with its code and says when the account goes", async () => {
  const reply = ok({ dueAtMs: DUE_MS });
  const { it, requests, press, submit } = await card(FREE, { "POST /api/user/deletion": reply });
  await press("delete-account");
  await it.get("[data-test=code]").setValue("123456");
  await submit();
  expect(requests.map((request) => request.body)).toEqual([{ code: "123456" }]);
  expect(it.emitted("requested")).toEqual([[DUE_MS]]);
});

test("a wrong code is shown at its field, and what came up meanwhile is loaded anew", async () => {
  const wrong = await card(FREE, { "POST /api/user/deletion": refusal("code_wrong", "验证码错误") });
  await wrong.press("delete-account");
  await wrong.it.get("[data-test=code]").setValue("123456");
  await wrong.submit();
  expect(wrong.it.text()).toContain("验证码错误");
  expect(wrong.it.emitted("stale")).toBeUndefined();
  const open = await card(FREE, { "POST /api/user/deletion": refusal("account_not_settled", "还有事项") });
  await open.press("delete-account");
  await open.it.get("[data-test=code]").setValue("123456");
  await open.submit();
  expect(open.it.emitted("stale")).toHaveLength(1);
});

test("what is in the way is listed with what to do, and nothing can be asked for", async () => {
  const obstacles: Deletion["obstacles"] = [
    { kind: "paid_orders", count: 2 },
    { kind: "balance", count: 1250 },
  ];
  const { it } = await card({ graceDays: 7, obstacles });
  expect(it.text()).toContain("2 张未使用的代金券，请使用或申请退款。");
  expect(it.text()).toContain("12.5");
  expect(it.text()).toContain("查看我的订单");
  expect(it.find("[data-test=delete-account]").exists()).toBe(false);
});

test("whoever asked for it can keep the account", async () => {
  const { it, requests, press } = await card({ ...FREE, dueAtMs: DUE_MS }, { "DELETE /api/user/deletion": ok() });
  expect(it.text()).toContain("账号即将注销");
  await press("keep-account");
  expect(requests.map((request) => request.line)).toEqual(["DELETE /api/user/deletion"]);
  expect(it.emitted("kept")).toHaveLength(1);
});
