// A voucher after it is paid: where and how it is used, with a network and without, and what is left of it on a shared phone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";

/** Belongs to the demo data, and has an ordinary voucher with rules. */
const SHOP = 4;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

/** A person signed in to the app as it is installed, with its worker. */
async function signedIn(t, next) {
  const context = await openContext(browser, { ...VIEWPORTS.phone, serviceWorkers: "allow" });
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await page.goto(`/sign-in?next=${next}`);
  await signIn(page, freshPhone());
  return { context, page, problems };
}

async function buy(page) {
  await byTest(page, "buy").first().click();
  await page.waitForURL(/\/pay\/\d+$/);
  await byTest(page, "pay-type-2").check();
}

/** Pays on the sandbox's page by one of its buttons. */
async function atCashier(page, button) {
  await byTest(page, "pay").click();
  await page.waitForURL(/\/cashier\//);
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("link", { name: "返回订单" }).click();
  await page.waitForURL(/\/order\/\d+\?from=cashier$/);
}

/** As an app that was closed and is opened again, where there is no network. */
async function coldStart(context, path) {
  await context.setOffline(true);
  const page = await context.newPage();
  await page.goto(path);
  return page;
}

const workerIsReady = (page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);
const kept = (page) => page.evaluate(() => localStorage.getItem("tandian.orders") ?? "");

test("a paid voucher shows its rules and its shop, opens without a network, and is gone after signing out", async (t) => {
  const { context, page } = await signedIn(t, `/shop/${SHOP}`);
  const address = await byTest(page, "on-map").innerText();
  await buy(page);
  await atCashier(page, "支付成功");
  const code = await byTest(page, "redeem-code").innerText();
  const shown = await byTest(page, "shop-address").innerText();
  assert.ok(address.includes(shown), `${shown} is not the shop's address`);
  assert.ok((await byTest(page, "voucher-rules").locator("li").count()) > 0);
  assert.match(await byTest(page, "directions").getAttribute("href"), /^https:\/\/uri\.amap\.com\/navigation\?to=\d/);
  assert.equal(await byTest(page, "as-of").count(), 0);
  await workerIsReady(page);
  const path = new URL(page.url()).pathname;
  await page.close();

  const cold = await coldStart(context, path);
  await byTest(cold, "as-of").filter({ hasText: "离线查看：截至" }).waitFor();
  assert.equal(await byTest(cold, "redeem-code").innerText(), code);
  assert.equal(await byTest(cold, "shop-address").innerText(), shown);
  assert.ok((await byTest(cold, "voucher-rules").locator("li").count()) > 0);
  await cold.getByRole("img", { name: "券码的二维码" }).waitFor();
  await cold.reload();
  await byTest(cold, "redeem-code").waitFor();

  await context.setOffline(false);
  await byTest(cold, "as-of").waitFor({ state: "detached" });
  await cold.goto("/me/settings");
  await byTest(cold, "sign-out").click();
  await cold.getByRole("dialog").getByRole("button", { name: "确认" }).click();
  await cold.waitForURL((url) => url.pathname === "/");
  assert.equal(await kept(cold), "");
  const later = await coldStart(context, path);
  await later.getByText("没能加载出来").waitFor();
  assert.equal(await byTest(later, "redeem-code").count(), 0);
  assert.ok(!(await later.locator("body").innerText()).includes(code));
});

test("a voucher that was seen in the list only opens from the list without a network", async (t) => {
  const { context, page } = await signedIn(t, `/shop/${SHOP}`);
  await buy(page);
  await atCashier(page, "支付成功");
  await byTest(page, "redeem-code").waitFor();
  await page.evaluate(() => localStorage.removeItem("tandian.orders"));
  await page.goto("/orders?status=2");
  await byTest(page, "order-card").waitFor();
  await page.waitForFunction(() => (localStorage.getItem("tandian.orders") ?? "").includes('"address"'));
  await workerIsReady(page);
  await page.close();

  const cold = await coldStart(context, "/orders");
  await byTest(cold, "as-of").waitFor();
  await byTest(cold, "order-card").getByRole("link").first().click();
  await byTest(cold, "redeem-code").waitFor();
  await byTest(cold, "voucher-rules").waitFor();
  await context.setOffline(false);
  await byTest(cold, "refund-order").click();
  await cold.getByRole("dialog").getByRole("button", { name: "确认" }).click();
  await cold.locator('[data-test="order-status"][data-status="6"]').waitFor();
  assert.ok(!(await kept(cold)).includes('"redeemCode"'), "a code that works no more is still kept");
});

test("a session that ends elsewhere takes the copies with it", async (t) => {
  const { context, page } = await signedIn(t, `/shop/${SHOP}`);
  await buy(page);
  await atCashier(page, "支付成功");
  await byTest(page, "redeem-code").waitFor();
  await page.waitForFunction(() => (localStorage.getItem("tandian.orders") ?? "").includes('"redeemCode"'));
  await context.clearCookies();
  await page.reload();
  await page.waitForURL(/\/sign-in\?next=/);
  assert.equal(await kept(page), "");
});

test("a payment that fails at the cashier is said to have failed, and nothing says that it was paid", async (t) => {
  const { page, problems } = await signedIn(t, `/shop/${SHOP}`);
  await buy(page);
  await atCashier(page, "支付失败");
  await byTest(page, "payment-failed").filter({ hasText: "支付未成功" }).waitFor();
  assert.doesNotMatch(await page.locator("main").innerText(), /实付|已付款|付款成功/);
  await byTest(page, "to-pay").filter({ hasText: "重新支付" }).click();
  await page.waitForURL(/\/pay\/\d+$/);
  await byTest(page, "pay-type-3").waitFor();
  assert.deepEqual(problems, []);
});

test("the back button from a cashier leads to a page that says that nothing was paid", async (t) => {
  const { page } = await signedIn(t, `/shop/${SHOP}`);
  await buy(page);
  await byTest(page, "pay").click();
  await page.waitForURL(/\/cashier\//);
  await page.goBack();
  await page.waitForURL(/\/pay\/\d+\?from=cashier$/);
  await byTest(page, "payment-failed").waitFor();
  assert.equal(await byTest(page, "pay").isEnabled(), true);
});
