// Privacy and terms: a guest reads both from the sign-in page and comes back to what was typed, with the code that was sent.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { askForCode, byTest, freshPhone, launch, openContext, openPage, settled, signIn, VIEWPORTS } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function open(t, size, options = {}) {
  const context = await openContext(browser, { ...VIEWPORTS[size], ...options });
  t.after(() => context.close());
  return openPage(context);
}

const fits = (page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

test("a guest reads both pages from the sign-in page on a phone and comes back with what was typed kept", async (t) => {
  const { page, problems } = await open(t, "small");
  const phone = freshPhone();
  await page.goto("/sign-in?next=/me");
  const code = await askForCode(page, phone);
  await byTest(page, "code").fill(code.slice(0, 3));

  await byTest(page, "to-terms").click();
  await page.getByText("未付款的订单保留 15 分钟").waitFor();
  assert.ok(await fits(page));
  await page.getByRole("link", { name: "返回" }).click();
  await page.waitForURL(/\/sign-in/);
  assert.equal(await byTest(page, "contact").inputValue(), phone);
  assert.equal(await byTest(page, "code").inputValue(), code.slice(0, 3));

  await byTest(page, "to-privacy").click();
  await byTest(page, "data-use").first().waitFor();
  assert.ok(await fits(page));
  await byTest(page, "template").waitFor();
  await page.goBack();
  assert.equal(await byTest(page, "contact").inputValue(), phone);
  assert.ok(await byTest(page, "send-code").isDisabled(), "another code has to wait as long as before");
  await byTest(page, "code").fill(code);
  await byTest(page, "submit").click();
  await page.waitForURL(/\/me$/);
  assert.deepEqual(problems, []);
});

test("both pages are in both languages, and the settings lead to them", async (t) => {
  const { page, problems } = await open(t, "desktop", { locale: "en-US" });
  await page.goto("/privacy");
  await page.getByRole("heading", { name: "What we keep" }).waitFor();
  await page.getByText("180 days").first().waitFor();
  await page.getByRole("link", { name: "Read the terms of use" }).click();
  await page.getByText("An unpaid order is held for 15 minutes.").waitFor();
  await byTest(page, "toggle-locale").click();
  await page.getByRole("heading", { name: "用户协议" }).waitFor();
  await page.goto("/sign-in?next=/me/settings");
  await signIn(page, freshPhone());
  await byTest(page, "to-privacy").click();
  await page.waitForURL(/\/privacy$/);
  await settled(page);
  await page.getByRole("link", { name: "个人数据与注销" }).click();
  await page.waitForURL(/\/me\/data$/);
  assert.deepEqual(problems, []);
});

test("a page that does not come is tried again", async (t) => {
  const { page } = await open(t, "phone");
  await page.route("**/api/site/terms", (route) => route.abort());
  await page.goto("/terms");
  await page.getByRole("button", { name: "重试" }).waitFor();
  await page.unroute("**/api/site/terms");
  await page.getByRole("button", { name: "重试" }).click();
  await byTest(page, "operator").waitFor();
});
