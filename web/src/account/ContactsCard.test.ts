import { flushPromises, mount } from "@vue/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { ok, plugins, refusal, serve, type Reply } from "@/shared/testing";
import { useSiteStore } from "@/shared/site/siteStore";
import type { Site } from "@/shared/site/api";
import type { Contacts } from "./api";
import ContactsCard from "./ContactsCard.vue";

const answers = vi.hoisted(() => ({ confirm: true }));
vi.mock("@/shared/dialog", () => ({ confirm: async () => answers.confirm }));
afterEach(() => {
  answers.confirm = true;
  vi.unstubAllGlobals();
});

const PERMIT = "POST /api/user/contacts/permit";
const PUT = "PUT /api/user/contacts";
const TICKET = ok({ ticket: "t1", expiresInSecs: 600 });

async function card(contacts: Contacts, table: Record<string, Reply> = {}) {
  const requests = serve({
    "POST /api/user/confirmation?kind=phone": ok({ sentTo: "139****0001", demoCode: "111111", retryAfterSecs: 60 }),
    "POST /api/user/confirmation?kind=email": ok({ sentTo: "a***@example.com", demoCode: "222222", retryAfterSecs: 60 }),
    "POST /api/user/code": ok({ demoCode: "333333", retryAfterSecs: 60 }),
    ...table,
  });
  const all = await plugins();
  useSiteStore().site = { contacts: ["phone", "email"], codeLength: 6 } as Site;
  const it = mount(ContactsCard, { props: { contacts }, global: { plugins: all }, attachTo: document.body });
  const press = async (name: string) => {
    await it.get(`[data-test=${name}]`).trigger("click");
    await flushPromises();
  };
  const submit = async () => {
    await it.get("form").trigger("submit");
    await flushPromises();
  };
  const fill = (name: string, value: string) => it.get(`[data-test=${name}]`).setValue(value);
  const lines = () => requests.map(({ line }) => line);
  return { it, requests, press, submit, fill, lines };
}

const PHONE: Contacts = { phone: "139****0001" };
const BOTH: Contacts = { phone: "139****0001", email: "a***@example.com" };

test("what there is is masked, what is missing can be bound, and the last one not be removed", async () => {
  const { it } = await card(PHONE);
  expect(it.get("[data-test=contact-phone]").text()).toContain("139****0001");
  expect(it.get("[data-test=contact-email]").text()).toContain("未绑定");
  expect(it.get("[data-test=set-email]").text()).toBe("绑定");
  expect(it.get("[data-test=set-phone]").text()).toBe("更换");
  expect(it.find("[data-test=remove-phone]").exists()).toBe(false);
});

test("binding takes a code to the present contact and one to the new one", async () => {
  const { it, requests, press, submit, fill } = await card(PHONE, { [PERMIT]: TICKET, [PUT]: ok() });
  await press("set-email");
  await submit();
  expect(it.text()).toContain("请输入验证码");
  await press("send-code");
  expect(it.text()).toContain("已发送至 139****0001");
  await press("fill-code");
  await submit();
  expect(requests.at(-1)).toMatchObject({ line: PERMIT, body: { code: "111111" } });
  expect(it.text()).toContain("第 2 步");
  await fill("contact", "ann@example.com");
  await press("send-code");
  await press("fill-code");
  await submit();
  expect(requests.at(-1)).toMatchObject({ line: PUT, body: { email: "ann@example.com", code: "333333", ticket: "t1" } });
  expect(it.emitted("changed")).toHaveLength(1);
  expect(it.find("form").exists()).toBe(false);
});

test("somebody who lost the number gets the code at the address", async () => {
  const { press, lines } = await card(BOTH);
  await press("set-phone");
  await press("send-code");
  expect(lines()).toEqual(["POST /api/user/confirmation?kind=email"]);
});

test("a contact of another account is said at its field, and the permission stays", async () => {
  const { it, press, submit, fill } = await card(PHONE, {
    [PERMIT]: TICKET,
    [PUT]: refusal("contact_taken", "已绑定其他账号"),
  });
  await press("set-phone");
  await fill("code", "111111");
  await submit();
  await fill("contact", "13900000002");
  await fill("code", "333333");
  await submit();
  expect(it.text()).toContain("已绑定其他账号");
  expect(it.text()).toContain("第 2 步");
  expect(it.emitted("changed")).toBeUndefined();
});

test("a permission that ran out leads back to the first step", async () => {
  const { it, press, submit, fill } = await card(PHONE, {
    [PERMIT]: TICKET,
    [PUT]: refusal("confirmation_needed", "请先获取验证码"),
  });
  await press("set-phone");
  await fill("code", "111111");
  await submit();
  await fill("contact", "13900000002");
  await fill("code", "333333");
  await submit();
  expect(it.text()).toContain("第 1 步");
});

test("removing asks once more, and sends nothing without a yes", async () => {
  const DELETE = "DELETE /api/user/contacts";
  const { it, requests, lines, press, submit, fill } = await card(BOTH, { [PERMIT]: TICKET, [DELETE]: ok() });
  answers.confirm = false;
  await press("remove-phone");
  await fill("code", "222222");
  await submit();
  expect(lines()).toEqual([PERMIT]);
  answers.confirm = true;
  await press("remove-phone");
  await fill("code", "222222");
  await submit();
  expect(requests.at(-1)).toMatchObject({ line: DELETE, body: { kind: "phone", ticket: "t1" } });
  expect(it.emitted("changed")).toHaveLength(1);
});

test("a wrong code is said at the code", async () => {
  const { it, press, submit, fill } = await card(PHONE, { [PERMIT]: refusal("code_wrong", "验证码错误") });
  await press("set-email");
  await fill("code", "999999");
  await submit();
  expect(it.text()).toContain("验证码错误");
  expect(it.text()).toContain("第 1 步");
});

test("a second press while the first is on its way sends nothing", async () => {
  const { lines, press, it, fill } = await card(PHONE, { [PERMIT]: TICKET });
  await press("set-email");
  await fill("code", "111111");
  await Promise.all([it.get("form").trigger("submit"), it.get("form").trigger("submit")]);
  await flushPromises();
  expect(lines()).toEqual([PERMIT]);
});
