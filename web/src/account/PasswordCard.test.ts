import { flushPromises, mount } from "@vue/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { ok, plugins, refusal, serve, type Reply } from "@/shared/testing";
import PasswordCard from "./PasswordCard.vue";

vi.mock("@/shared/dialog", () => ({ confirm: async () => true }));
afterEach(() => vi.unstubAllGlobals());

type Table = Record<string, Reply | (() => Reply)>;

async function card(isSet: boolean, table: Table = {}) {
  const requests = serve(table);
  const it = mount(PasswordCard, { props: { isSet }, global: { plugins: await plugins() } });
  const fill = (test: string, value: string) => it.get(`[data-test=${test}]`).setValue(value);
  const submit = async () => {
    await it.get("form").trigger("submit");
    await flushPromises();
  };
  return { it, requests, fill, submit };
}

test("the first password needs no other", async () => {
  const { it, requests, fill, submit } = await card(false, { "PUT /api/user/password": ok() });
  expect(it.find("[data-test=old-password]").exists()).toBe(false);
  expect(it.get("[data-test=new-password]").attributes("autocomplete")).toBe("new-password");
  await fill("new-password", "correct horse");
  await submit();
  expect(requests.map((request) => request.body)).toEqual([{ password: "correct horse" }]);
  expect(it.emitted("changed")).toHaveLength(1);
});

test("a change sends the present one too, and says at which field it failed", async () => {
  const wrong = refusal("old_password_wrong", "原密码错误");
  const { it, requests, fill, submit } = await card(true, { "PUT /api/user/password": wrong });
  expect(it.get("[data-test=old-password]").attributes("autocomplete")).toBe("current-password");
  await fill("new-password", "correct horse");
  await submit();
  expect(requests).toEqual([]);
  expect(it.text()).toContain("请输入密码");
  await fill("old-password", "wrong horse");
  await submit();
  expect(requests[0]?.body).toEqual({ password: "correct horse", oldPassword: "wrong horse" });
  expect(it.text()).toContain("原密码错误");
  expect(it.emitted("changed")).toBeUndefined();
});

test("a short password is not sent at all", async () => {
  const { it, requests, fill, submit } = await card(false);
  await fill("new-password", "1234567");
  await submit();
  expect(requests).toEqual([]);
  expect(it.text()).toContain("密码须为 8 到 128 个字符");
});

test("the first password takes a code long after signing in", async () => {
  const replies = [refusal("confirmation_needed", "请先获取验证码"), ok()];
  const { it, requests, fill, submit } = await card(false, {
    "PUT /api/user/password": () => replies.shift() ?? ok(),
    "POST /api/user/code": ok({ demoCode: "123456", retryAfterSecs: 60 }),
  });
  await fill("new-password", "correct horse");
  await submit();
  expect(it.text()).toContain("请先用验证码确认是你本人");
  expect(it.emitted("changed")).toBeUndefined();
  await fill("contact", "13800000001");
  await it.get("[data-test=send-code]").trigger("click");
  await flushPromises();
  await fill("code", "123456");
  await submit();
  expect(requests.at(-1)?.body).toEqual({ password: "correct horse", code: "123456" });
  expect(it.emitted("changed")).toHaveLength(1);
});

test("who forgot the present one proves it by a code", async () => {
  const { it, requests, fill, submit } = await card(true, {
    "POST /api/user/code": ok({ demoCode: "123456", retryAfterSecs: 60 }),
    "PUT /api/user/password": ok(),
  });
  await it.get("[data-test=forgot-password]").trigger("click");
  await fill("contact", "13800000001");
  await it.get("[data-test=send-code]").trigger("click");
  await flushPromises();
  await fill("code", "123456");
  await fill("new-password", "correct horse");
  await submit();
  expect(requests.at(-1)?.body).toEqual({ password: "correct horse", code: "123456" });
  expect(it.emitted("changed")).toHaveLength(1);
});

test("removing takes the present one alone", async () => {
  const { it, requests, fill } = await card(true, { "DELETE /api/user/password": ok() });
  await fill("old-password", "correct horse");
  await it.get("[data-test=remove-password]").trigger("click");
  await flushPromises();
  expect(requests[0]).toMatchObject({ line: "DELETE /api/user/password", body: { oldPassword: "correct horse" } });
  expect(it.emitted("changed")).toHaveLength(1);
});
