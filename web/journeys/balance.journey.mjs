// The statement of a balance: empty for a new person; after a payment and a refund each booking by day, with its order and the
// balance after it; page after page; and a failure that is tried again. On a site of its own, as it spends the demo visitor's money.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, settled, signIn, VIEWPORTS } from "./browser.mjs";
import { openOwnSite } from "./ownSite.mjs";
import { DEMO_VISITOR } from "./pages.mjs";

const ORDINARY_VOUCHER = 9;
const BALANCE = 1;
const REFUNDED = 6;
/** Two pages of the list. */
const BOOKINGS = 21;

let browser;
let site;
before(async () => {
  [browser, site] = await Promise.all([launch(), openOwnSite({ TANDIAN_CODE__RESEND_SECS: "1" })]);
});
after(() => Promise.all([browser?.close(), site?.close()]));

async function open(t, size) {
  const context = await openContext(browser, { ...VIEWPORTS[size], baseURL: site.url });
  t.after(() => context.close());
  return { context, ...(await openPage(context)) };
}

async function call(context, method, path, data) {
  const response = await context.request[method](path, { headers: { origin: site.url }, ...(data && { data }) });
  const envelope = await response.json();
  assert.ok(envelope.success, `${method} ${path}: ${JSON.stringify(envelope)}`);
  return envelope.data;
}

/** Buys a voucher and pays it from the balance. */
async function buy(context) {
  const id = await call(context, "post", `/api/voucher-order/${ORDINARY_VOUCHER}`);
  await call(context, "post", `/api/voucher-order/${id}/pay`, { payType: BALANCE });
  return id;
}

const cents = (text) => Math.round(Number(text.replaceAll(/[^\d.]/gu, "")) * 100);

test("a payment and its refund are on the statement, each with the balance after it", async (t) => {
  const { context, page, problems } = await open(t, "small");
  await page.goto("/sign-in?next=/me");
  await signIn(page, DEMO_VISITOR);
  const id = await buy(context);
  await byTest(page, "balance-link").click();
  await page.waitForURL(/\/me\/balance$/);
  const newest = byTest(page, "balance-entry").first();
  await newest.getByText("支付订单").waitFor();
  const before = cents(await byTest(page, "balance").innerText());
  assert.ok((await newest.innerText()).includes("−¥"), await newest.innerText());
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);
  await newest.locator("[data-test=booked-order]").click();
  await page.waitForURL(new RegExp(`/order/${id}$`));

  await call(context, "post", `/api/voucher-order/${id}/refund`);
  for (let status; status !== REFUNDED; ) ({ status } = await call(context, "get", `/api/voucher-order/${id}`));
  await page.goBack();
  await page.reload();
  await newest.getByText("订单退款").waitFor();
  const amount = cents(await newest.locator("[data-test=amount]").innerText());
  assert.equal(cents(await byTest(page, "balance").innerText()), before + amount);
  assert.deepEqual(problems, []);

  for (let bought = 2; bought < BOOKINGS; bought++) await buy(context);
  await page.reload();
  await byTest(page, "balance-entry").last().scrollIntoViewIfNeeded();
  await byTest(page, "balance-entry").nth(BOOKINGS).waitFor();
  await page.getByText("初始余额").waitFor();
  await page.getByText("到底了").waitFor();
  assert.deepEqual(problems, []);
});

test("a new person has nothing, and a statement that does not come is tried again", async (t) => {
  const { page } = await open(t, "desktop");
  await page.goto("/sign-in?next=/me");
  await signIn(page, freshPhone());
  await page.route("**/api/user/balance/entries*", (route) => route.abort());
  await byTest(page, "balance-link").click();
  await page.getByRole("button", { name: "重试" }).waitFor();
  await page.unroute("**/api/user/balance/entries*");
  await page.getByRole("button", { name: "重试" }).click();
  await page.getByText("还没有收支记录").waitFor();
  assert.equal(cents(await byTest(page, "balance").innerText()), 0);
  await settled(page);
});
