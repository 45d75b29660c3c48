// A user's visit, on a phone and on a desktop: signing in, using the site, signing out.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { answered, askForCode, BASE_URL, byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS, WAIT_MS } from "./browser.mjs";
import { photo } from "./photo.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const size of ["phone", "desktop"]) {
  test(`on a ${size}, a visitor signs in, changes their profile and leaves nothing behind`, async (t) => {
    const context = await openContext(browser, VIEWPORTS[size]);
    t.after(() => context.close());
    const { page, problems } = await openPage(context);
    const phone = freshPhone();

    await reachSignIn(page);
    await enter(page, phone);
    await rename(page);
    await keepUnsaved(page);
    await seeDevices(page);
    await changeLooks(page);
    await leave(page);
    assert.deepEqual(problems, []);
  });
}

test("a person sets a password, signs in with it and removes it", async (t) => {
  const context = await openContext(browser, VIEWPORTS.phone);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  const phone = freshPhone();
  await page.goto("/sign-in?next=/me/settings");
  await signIn(page, phone);
  await byTest(page, "new-password").fill("short");
  await byTest(page, "save-password").click();
  await page.getByText("密码须为 8 到 128 个字符").waitFor();
  await byTest(page, "new-password").fill("correct horse");
  await byTest(page, "save-password").click();
  await byTest(page, "old-password").waitFor();
  await assertFits(page);

  await context.clearCookies();
  await page.goto("/sign-in?next=/me/settings");
  await byTest(page, "other-way").click();
  await byTest(page, "contact").fill(phone);
  await byTest(page, "password").fill("wrong horse");
  await byTest(page, "submit").click();
  await page.getByText("账号或密码错误").waitFor();
  await assertFits(page);
  await byTest(page, "password").fill("correct horse");
  await byTest(page, "submit").click();
  await page.waitForURL(/\/me\/settings$/);
  await page.waitForFunction(() => document.querySelectorAll("[data-test=session]").length === 2);

  await byTest(page, "old-password").fill("correct horse");
  await byTest(page, "remove-password").click();
  await page.getByRole("dialog").getByRole("button", { name: "确认" }).click();
  await byTest(page, "old-password").waitFor({ state: "detached" });
  await page.waitForFunction(() => document.querySelectorAll("[data-test=session]").length === 1);
  assert.deepEqual(problems, []);
});

test("the redirect after signing in never leads to another site", async (t) => {
  const context = await openContext(browser, VIEWPORTS.desktop);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await page.goto("/sign-in?next=//evil.example/steal");
  await signIn(page, freshPhone());
  assert.equal(page.url(), new URL("/", BASE_URL).href);
  assert.deepEqual(problems, []);
});

test("a session that ended elsewhere leads to sign-in and back to the page", async (t) => {
  const context = await openContext(browser, VIEWPORTS.phone);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await page.goto("/sign-in?next=/me");
  await signIn(page, freshPhone());
  await byTest(page, "edit").waitFor();
  // Whatever the page still asks for would find the session ended before the tap does.
  await answered(page);
  await context.clearCookies();
  await byTest(page, "edit").click();
  await page.waitForURL(/\/sign-in\?next=\/me\/edit$/);
  await signIn(page, freshPhone());
  await byTest(page, "nick-name").waitFor();
  assert.deepEqual(problems, []);
});

test("a lost network is announced, and what failed can be retried", async (t) => {
  const context = await openContext(browser, VIEWPORTS.phone);
  t.after(() => context.close());
  const { page } = await openPage(context);
  await page.goto("/sign-in?next=/me");
  await signIn(page, freshPhone());
  await byTest(page, "edit").waitFor();
  await context.setOffline(true);
  await page.getByText("网络已断开").waitFor();
  await context.setOffline(false);
  await page.getByText("网络已断开").waitFor({ state: "detached" });
  // A network that is there, and a server that cannot be reached.
  await page.route("**/api/**", (route) => route.abort());
  await byTest(page, "edit").click();
  await page.getByText("没能加载出来").waitFor();
  await page.unroute("**/api/**");
  await page.getByRole("button", { name: "重试" }).click();
  await byTest(page, "nick-name").waitFor();
});

async function reachSignIn(page) {
  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await assertFits(page);
  assert.equal(await page.locator("html").getAttribute("lang"), "zh-CN");
  await page.getByRole("navigation").getByRole("link", { name: "我的" }).click();
  await page.waitForURL(/\/sign-in\?next=\/me$/);
  await assertFits(page);
}

async function enter(page, phone) {
  const code = await askForCode(page, phone);
  assert.match(await byTest(page, "send-code").innerText(), /\d+ 秒后重发/);
  assert.ok(await byTest(page, "send-code").isDisabled());

  await byTest(page, "code").fill(code === "000000" ? "000001" : "000000");
  await byTest(page, "submit").click();
  await page.locator('[data-test="code"][aria-invalid="true"]').waitFor();
  await page.getByText("验证码错误").waitFor();

  await byTest(page, "fill-code").click();
  assert.equal(await byTest(page, "code").inputValue(), code);
  await byTest(page, "submit").click();
  await page.waitForURL(/\/me$/);
  assert.match(await byTest(page, "nick").innerText(), /^user_/);
}

async function rename(page) {
  await byTest(page, "edit").click();
  assert.ok(await byTest(page, "save").isDisabled());
  await byTest(page, "nick-name").fill("");
  await page.getByText("昵称不能为空").waitFor();
  await byTest(page, "nick-name").fill("爱吃面的小满");
  await byTest(page, "city").fill("杭州");
  await byTest(page, "introduce").fill("周末在西湖边找好吃的。");
  await page.getByText("女", { exact: true }).click();
  await page.getByRole("textbox", { name: "生日" }).fill("1998-05-20");
  await chooseFace(page, "#c33");
  await byTest(page, "save").click();
  await page.waitForURL(/\/me$/);
  const face = await page.locator(".avatar img").first().getAttribute("src");
  assert.match(face, /^\/imgs\/blogs\//);
  await byTest(page, "edit").click();
  await chooseFace(page, "#3a3");
  await byTest(page, "save").click();
  await page.waitForURL(/\/me$/);
  await assertGone(page, face);
  await page.reload();
  await byTest(page, "nick").filter({ hasText: "爱吃面的小满" }).waitFor();
  await page.getByText("周末在西湖边找好吃的。").waitFor();
  await page.getByText("1998年5月20日").waitFor();
  await assertFits(page);
}

/** The page does not wait for the replaced picture to be deleted. */
async function assertGone(page, address) {
  const deadlineMs = Date.now() + WAIT_MS;
  while ((await page.request.get(address)).status() !== 404) {
    assert.ok(Date.now() < deadlineMs, `${address} is still there`);
    await pause(100);
  }
}

/** Chooses a picture, takes its middle, and waits until it is uploaded. */
async function chooseFace(page, color) {
  const before = await page.locator(".avatar img").evaluateAll((images) => images.map(({ src }) => src));
  await byTest(page, "avatar-file").setInputFiles(await photo(page, color));
  await byTest(page, "apply-crop").click();
  await page.waitForFunction((known) => {
    const shown = [...document.querySelectorAll("main .avatar img")].map(({ src }) => src);
    return shown.length > 0 && shown.every((src) => !known.includes(src));
  }, before);
}

async function keepUnsaved(page) {
  await byTest(page, "edit").click();
  await byTest(page, "city").fill("上海");
  await page.goBack();
  await page.getByRole("button", { name: "继续编辑" }).click();
  await page.waitForURL(/\/me\/edit$/);
  assert.equal(await byTest(page, "city").inputValue(), "上海");
  await page.goBack();
  await page.getByRole("button", { name: "放弃修改" }).click();
  await page.waitForURL(/\/me$/);
  await page.getByText("杭州").waitFor();
}

async function seeDevices(page) {
  await byTest(page, "settings").click();
  await page.waitForURL(/\/me\/settings$/);
  await byTest(page, "session").first().waitFor();
  assert.equal(await byTest(page, "session").count(), 1);
  await page.getByText("本机").waitFor();
  await assertFits(page);
}

async function changeLooks(page) {
  await byTest(page, "locale").getByText("English").click();
  await page.getByRole("button", { name: "Sign out", exact: true }).waitFor();
  assert.equal(await page.locator("html").getAttribute("lang"), "en");
  assert.match(await page.title(), /^Settings · /);
  await byTest(page, "theme").getByText("Dark").click();
  await page.locator("html.dark").waitFor();
  await page.reload();
  await page.locator("html.dark[lang=en]").waitFor();
  await page.getByText("Signed-in devices").waitFor();
  await assertFits(page);
  await byTest(page, "toggle-locale").click();
  await byTest(page, "toggle-theme").click();
  await page.locator("html[lang=zh-CN]:not(.dark)").waitFor();
}

async function leave(page) {
  await byTest(page, "sign-out").click();
  await page.getByRole("dialog").getByRole("button", { name: "确认" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await page.goBack();
  await page.waitForURL((url) => url.pathname !== "/me");
  assert.equal(await page.getByText("爱吃面的小满").count(), 0);
  await page.goto("/me");
  await page.waitForURL(/\/sign-in\?next=\/me$/);
  assert.equal(await page.getByText("爱吃面的小满").count(), 0);
}

/** Nothing may stick out sideways at any width. */
async function assertFits(page) {
  const [content, view] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.ok(content <= view, `the page is ${content} px wide in a view of ${view} px`);
}
