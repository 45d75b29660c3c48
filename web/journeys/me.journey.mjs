// What belongs to one user: checking in day by day, the language, and the redirect back to any private page.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, askForCode, byTest, freshPhone, launch, openContext, openPage, settled, signIn, VIEWPORTS } from "./browser.mjs";
import { DEMO_VISITOR } from "./pages.mjs";

const HAN = /\p{Script=Han}/u;
const PRIVATE = ["/me", "/me/check-ins", "/me/edit", "/me/favourites", "/me/balance", "/me/blocked", "/me/settings", "/me/data", "/orders", "/notices", "/redeem", "/feed", "/publish"];

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function open(t, options) {
  const context = await openContext(browser, options);
  t.after(() => context.close());
  return { context, ...(await openPage(context)) };
}

for (const size of ["phone", "desktop"]) {
  test(`on a ${size}, a person checks in once a day and finds it in the calendar`, async (t) => {
    const { page, problems } = await open(t, VIEWPORTS[size]);
    await page.goto("/sign-in?next=/me");
    await signIn(page, freshPhone());
    await byTest(page, "streak").filter({ hasText: "0 天" }).waitFor();
    await byTest(page, "check-in").click();
    await byTest(page, "streak").filter({ hasText: "1 天" }).waitFor();
    assert.ok(await byTest(page, "check-in").isDisabled());

    await byTest(page, "calendar").click();
    await page.waitForURL(/\/me\/check-ins$/);
    await byTest(page, "checked-day").waitFor();
    assert.equal(await byTest(page, "checked-day").count(), 1);
    assert.ok(await byTest(page, "month-after").isDisabled());
    await byTest(page, "month-before").click();
    await page.getByText("这个月没有签到").waitFor();
    await byTest(page, "month-after").click();
    await page.getByText("这个月签到了 1 天").waitFor();
    await page.getByRole("link", { name: "返回" }).click();
    await page.waitForURL(/\/me$/);
    assert.deepEqual(problems, []);
  });
}

test("a check-in continues the streak", async (t) => {
  const { page, problems } = await open(t, VIEWPORTS.phone);
  await page.goto("/sign-in?next=/me/check-ins");
  await signIn(page, DEMO_VISITOR);
  const before = Number(/\d+/.exec(await byTest(page, "streak").innerText())[0]);
  assert.ok(before >= 5, `${before} days`);
  await byTest(page, "check-in").click();
  await byTest(page, "streak").filter({ hasText: `${before + 1} 天` }).waitFor();
  await page.locator('[aria-current="date"] [data-test="checked-day"]').waitFor();
  assert.deepEqual(problems, []);
});

test("every private page sends a visitor to sign in and remembers where they were going", async (t) => {
  const { page, problems } = await open(t, VIEWPORTS.phone);
  for (const path of PRIVATE) {
    await page.goto(path);
    await page.waitForURL((url) => url.pathname === "/sign-in" && url.searchParams.get("next") === path);
  }
  await page.goto("/orders?status=1");
  await signIn(page, freshPhone());
  await page.waitForURL(/\/orders\?status=1$/);
  assert.deepEqual(problems, []);
});

test("a session that ends while a page is open leads to sign-in and back, and what was meant can be done", async (t) => {
  const { context, page } = await open(t, VIEWPORTS.phone);
  const phone = freshPhone();
  await page.goto("/sign-in?next=/me/check-ins");
  await signIn(page, phone);
  await byTest(page, "check-in").waitFor();
  await answered(page);
  await context.clearCookies();
  await byTest(page, "check-in").click();
  await page.waitForURL(/\/sign-in\?next=\/me\/check-ins$/);
  await signIn(page, freshPhone());
  await byTest(page, "check-in").click();
  await byTest(page, "streak").filter({ hasText: "1 天" }).waitFor();
});

test("a question is answered by keys, holds while going back is undone, and gives the focus back", async (t) => {
  const { page, problems } = await open(t, VIEWPORTS.desktop);
  await page.goto("/sign-in?next=/me/settings");
  await signIn(page, freshPhone());
  await byTest(page, "sign-out").focus();
  await page.keyboard.press("Enter");
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "确认" }).and(page.locator(":focus")).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  await byTest(page, "sign-out").and(page.locator(":focus")).waitFor();

  await page.goto("/me");
  await byTest(page, "edit").click();
  await byTest(page, "introduce").fill("还没写完");
  await page.goBack();
  await dialog.getByRole("button", { name: "继续编辑" }).click();
  await page.waitForURL(/\/me\/edit$/);
  await byTest(page, "save").click();
  await byTest(page, "toast").filter({ hasText: "资料已保存" }).waitFor();
  assert.deepEqual(problems, []);
});

test("pulling the home page down loads it again", async (t) => {
  const { context, page, problems } = await open(t, VIEWPORTS.phone);
  await page.goto("/");
  await settled(page);
  const browserInput = await context.newCDPSession(page);
  const touch = (type, ...touchPoints) => browserInput.send("Input.dispatchTouchEvent", { type, touchPoints });
  const loaded = page.waitForResponse((response) => response.url().includes("/api/blog/hot"));
  await touch("touchStart", { x: 180, y: 200 });
  for (let y = 210; y <= 330; y += 10) await touch("touchMove", { x: 180, y });
  await page.getByText("松开刷新").waitFor();
  await touch("touchEnd");
  await loaded;
  await page.getByText("松开刷新").waitFor({ state: "detached" });
  assert.deepEqual(problems, []);
});

test("a chosen language is the language of every page, of the server's messages and of the next visit", async (t) => {
  const { page, problems } = await open(t, VIEWPORTS.desktop);
  await page.goto("/sign-in?next=/me");
  await byTest(page, "toggle-locale").click();
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await askForCode(page, freshPhone());
  await byTest(page, "code").fill("999999");
  await byTest(page, "submit").click();
  await byTest(page, "code").and(page.locator("[aria-invalid=true]")).waitFor();
  assert.doesNotMatch(await page.getByRole("alert").filter({ hasText: /./ }).first().innerText(), HAN);
  await byTest(page, "fill-code").click();
  await byTest(page, "submit").click();
  await byTest(page, "streak").waitFor();
  for (const path of [...PRIVATE, "/map", "/no/such/page"]) {
    await page.goto(path);
    await settled(page);
    assert.equal(await page.locator("html").getAttribute("lang"), "en");
    assert.doesNotMatch((await page.title()).split(" · ")[0], HAN, path);
    assert.doesNotMatch(await page.getByRole("navigation", { name: "Main" }).innerText(), HAN, path);
    assert.doesNotMatch(await page.getByRole("heading", { level: 1 }).innerText(), HAN, path);
  }
  assert.deepEqual(problems, []);
});
