import { flushPromises, mount } from "@vue/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { createMemoryHistory, createRouter } from "vue-router";
import { ok, plugins, refusal, serve, type Reply } from "@/shared/testing";
import { useSiteStore } from "@/shared/site/siteStore";
import type { Site } from "@/shared/site/api";
import SignInPage from "./SignInPage.vue";

vi.mock("@/shared/dialog", () => ({ confirm: async () => true }));
afterEach(() => vi.unstubAllGlobals());

const LOGIN = "POST /api/user/login";
const PHONE = "13900000001";
const ME = ok({ id: 1, nickName: "小满", icon: "", roles: ["user"] });

function asks(proofs: string[]): Reply {
  return refusal("number_in_question", "请确认", { ticket: "t1", nickName: "小*", proofs });
}

async function page(replies: Reply[]) {
  const left = [...replies];
  const requests = serve({
    [LOGIN]: () => left.shift() ?? refusal("code_expired", "验证码已失效"),
    "GET /api/user/me": ME,
    "GET /api/user/deletion": ok({ graceDays: 7, obstacles: [] }),
    "POST /api/user/code": ok({ demoCode: "333333", retryAfterSecs: 60 }),
  });
  const component = { template: "<i />" };
  const routes = [
    { path: "/", name: "home", component },
    { path: "/sign-in", name: "sign-in", component },
    { path: "/me/data", name: "personal-data", component },
    { path: "/terms", name: "terms", component },
    { path: "/privacy", name: "privacy", component },
  ];
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push("/sign-in");
  const all = [...(await plugins()), router];
  useSiteStore().site = { contacts: ["phone", "email"], codeLength: 6, passwords: true } as Site;
  const it = mount(SignInPage, { global: { plugins: all, stubs: { StreetScene: true } }, attachTo: document.body });
  const fill = (name: string, value: string) => it.get(`[data-test=${name}]`).setValue(value);
  const press = async (name: string) => {
    await it.get(`[data-test=${name}]`).trigger("click");
    await flushPromises();
  };
  const submit = async () => {
    await it.get("form").trigger("submit");
    await flushPromises();
  };
  await fill("contact", PHONE);
  await fill("code", "111111");
  await submit();
  const bodies = () => requests.filter(({ line }) => line === LOGIN).map(({ body }) => body);
  return { it, router, fill, press, submit, bodies };
}

test("the owner of an account without another proof says so and is in", async () => {
  const { it, router, press, bodies } = await page([asks([]), ok("token")]);
  expect(it.get("[data-test=number-question]").text()).toContain("小*");
  expect(document.activeElement?.tagName).toBe("H1");
  await press("mine");
  expect(bodies().at(-1)).toEqual({ phone: PHONE, claim: "mine", ticket: "t1" });
  expect(router.currentRoute.value.path).toBe("/");
});

test("somebody new begins anew", async () => {
  const { press, bodies } = await page([asks(["email"]), ok("token")]);
  await press("fresh");
  expect(bodies().at(-1)).toEqual({ phone: PHONE, claim: "new", ticket: "t1" });
});

test("an account with an address is proven by it, with the ticket beside it", async () => {
  const { it, press, fill, submit, bodies } = await page([asks(["email", "password"]), ok("token")]);
  expect(it.find("[data-test=mine]").exists()).toBe(false);
  await press("mine-email");
  expect(it.text()).toContain("请用原账号绑定的邮箱登录");
  await fill("contact", "ann@example.com");
  await fill("code", "333333");
  await submit();
  expect(bodies().at(-1)).toEqual({ email: "ann@example.com", code: "333333", claim: "mine", ticket: "t1" });
});

test("an account with a password is proven by it and the number", async () => {
  const { it, press, fill, submit, bodies } = await page([asks(["email", "password"]), ok("token")]);
  await press("mine-email");
  await press("proof-back");
  await press("mine-password");
  expect((it.get("[data-test=contact]").element as HTMLInputElement).value).toBe(PHONE);
  await fill("password", "correct horse");
  await submit();
  expect(bodies().at(-1)).toEqual({ phone: PHONE, password: "correct horse", claim: "mine", ticket: "t1" });
});

test("an answer that comes too late is said, and the way back is the form", async () => {
  const { it, press, bodies } = await page([asks([]), refusal("ticket_expired", "确认已超时")]);
  await press("mine");
  expect(it.text()).toContain("确认已超时");
  await press("question-back");
  expect(it.find("[data-test=number-question]").exists()).toBe(false);
  expect(it.get("form").text()).toContain("获取验证码");
  expect(bodies()).toHaveLength(2);
});

test("a wrong code asks nothing", async () => {
  const { it } = await page([refusal("code_wrong", "验证码错误")]);
  expect(it.text()).toContain("验证码错误");
  expect(it.find("[data-test=number-question]").exists()).toBe(false);
});
