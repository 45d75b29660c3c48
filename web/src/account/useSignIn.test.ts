import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nextTick, ref } from "vue";
import { ApiError } from "@/shared/api/client";
import { ok, refusal, serve, withSetup, type Reply } from "@/shared/testing";
import { useSignIn } from "./useSignIn";

const signIn = vi.fn<(contact: unknown, credential: unknown) => Promise<void>>();

beforeEach(() => {
  signIn.mockReset();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function form() {
  const { result } = await withSetup(() => useSignIn({ codeLength: ref(6), signIn }));
  result.contact.value = "138 0000 0001";
  await nextTick();
  return result;
}

test("the wait after sending is the server's", async () => {
  const requests = serve({ "POST /api/user/code": ok({ demoCode: "123456", retryAfterSecs: 42 }) });
  const it = await form();
  await it.send();
  expect(requests[0]?.body).toEqual({ phone: "13800000001" });
  expect(it.secsLeft.value).toBe(42);
  expect(it.maySend.value).toBe(false);
  vi.advanceTimersByTime(42_000);
  expect(it.maySend.value).toBe(true);
});

test("the wait after a refusal is the server's too", async () => {
  serve({ "POST /api/user/code": refusal("code_too_often", "发送过于频繁", { retryAfterSecs: 17 }) });
  const it = await form();
  await it.send();
  expect(it.secsLeft.value).toBe(17);
  expect(it.contactError.value).toContain("发送过于频繁");
});

test("a second tap while a code is being sent sends nothing", async () => {
  const requests = serve({ "POST /api/user/code": ok({ retryAfterSecs: 60 }) });
  const it = await form();
  await Promise.all([it.send(), it.send()]);
  expect(requests).toHaveLength(1);
});

test("a bad number is not sent at all", async () => {
  const requests = serve({});
  const it = await form();
  it.contact.value = "12345";
  await nextTick();
  await it.send();
  expect(requests).toEqual([]);
  expect(it.contactError.value).toBe("手机号格式不对，请检查");
});

test("another number has no wait and no demo code of the first", async () => {
  serve({ "POST /api/user/code": ok({ demoCode: "123456", retryAfterSecs: 60 }) });
  const it = await form();
  await it.send();
  it.contact.value = "13800000002";
  await nextTick();
  expect(it.demoCode.value).toBeNull();
  expect(it.maySend.value).toBe(true);
});

test("an answer that arrives after the number was changed is not shown for the new one", async () => {
  let answer: (value: Reply) => void = () => undefined;
  serve({ "POST /api/user/code": () => new Promise<Reply>((resolve) => (answer = resolve)) });
  const it = await form();
  const sending = it.send();
  it.contact.value = "13800000002";
  await nextTick();
  answer(ok({ demoCode: "123456", retryAfterSecs: 60 }));
  await sending;
  expect(it.demoCode.value).toBeNull();
  expect(it.sent.value).toBe(false);
});

test("the demo code is filled in with one tap", async () => {
  serve({ "POST /api/user/code": ok({ demoCode: "654321", retryAfterSecs: 60 }) });
  const it = await form();
  await it.send();
  it.fillDemoCode();
  expect(it.code.value).toBe("654321");
});

test("a wrong code is reported at the code, a lock at the contact", async () => {
  const it = await form();
  it.code.value = "111111";
  signIn.mockRejectedValueOnce(new ApiError("code_wrong", "验证码错误", 200));
  expect(await it.submit()).toBe(false);
  expect([it.codeError.value, it.contactError.value]).toEqual(["验证码错误", null]);
  signIn.mockRejectedValueOnce(new ApiError("login_locked", "登录已锁定", 200));
  expect(await it.submit()).toBe(false);
  expect(it.contactError.value).toBe("登录已锁定");
});

test("a lock is counted down, is not tried again before its end, and is the contact's own", async () => {
  const it = await form();
  it.code.value = "111111";
  signIn.mockRejectedValueOnce(new ApiError("login_locked", "登录已锁定", 200, 600));
  await it.submit();
  expect(it.lockedSecs.value).toBe(600);
  expect(it.contactError.value).toContain("10 分钟");
  expect(await it.submit()).toBe(false);
  expect(signIn).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(5_000);
  expect(it.lockedSecs.value).toBe(595);
  it.contact.value = "138 0000 0002";
  await nextTick();
  expect(it.lockedSecs.value).toBe(0);
});

test("two quick submits sign in once", async () => {
  const it = await form();
  it.code.value = "111111";
  signIn.mockResolvedValue(undefined);
  const results = await Promise.all([it.submit(), it.submit()]);
  expect(results).toEqual([true, false]);
  expect(signIn).toHaveBeenCalledOnce();
});

test("an incomplete form says everything that is missing and sends nothing", async () => {
  const it = await form();
  it.contact.value = "";
  await flushPromises();
  expect(await it.submit()).toBe(false);
  expect([it.contactError.value, it.codeError.value]).toEqual(["请输入手机号", "请输入验证码"]);
  expect(signIn).not.toHaveBeenCalled();
});

test("a password is sent as it was typed, in place of the code", async () => {
  const it = await form();
  it.way.value = "password";
  it.password.value = " correct horse ";
  signIn.mockResolvedValue(undefined);
  expect(await it.submit()).toBe(true);
  expect(signIn).toHaveBeenCalledWith({ kind: "phone", value: "13800000001" }, { password: " correct horse " });
});

test("a wrong password is reported at the password, a lock at the contact", async () => {
  const it = await form();
  it.way.value = "password";
  expect(await it.submit()).toBe(false);
  expect(it.passwordError.value).toBe("请输入密码");
  it.password.value = "11111111";
  await nextTick();
  signIn.mockRejectedValueOnce(new ApiError("password_wrong", "账号或密码错误", 200));
  expect(await it.submit()).toBe(false);
  expect([it.passwordError.value, it.codeError.value, it.contactError.value]).toEqual(["账号或密码错误", null, null]);
  signIn.mockRejectedValueOnce(new ApiError("login_locked", "登录已锁定", 200));
  expect(await it.submit()).toBe(false);
  expect(it.contactError.value).toBe("登录已锁定");
});

test("what was typed comes back with the code that was sent and the wait, without the password", async () => {
  serve({ "POST /api/user/code": ok({ demoCode: "123456", retryAfterSecs: 42 }) });
  const it = await form();
  await it.send();
  it.code.value = "12";
  it.password.value = "secret password";
  vi.advanceTimersByTime(2_000);
  const typed = it.draft();
  expect(JSON.stringify(typed)).not.toContain("secret");
  const { result: again } = await withSetup(() => useSignIn({ codeLength: ref(6), signIn, typed }));
  await nextTick();
  expect(again.contact.value).toBe("138 0000 0001");
  expect([again.code.value, again.sent.value, again.demoCode.value]).toEqual(["12", true, "123456"]);
  expect(again.secsLeft.value).toBe(40);
  again.contact.value = "13900000002";
  await nextTick();
  expect([again.sent.value, again.secsLeft.value]).toEqual([false, 0]);
});
