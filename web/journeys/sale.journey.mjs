// Buying: from finding a shop to using the voucher at its counter, alone and in a crowd.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";
import { merchantOf, Person, publishSale } from "./people.mjs";

/** Belongs to the demo merchant. */
const SHOP = 1;
const CROWD = 200;
const STOCK = 50;
/** Signing in at once would only queue. */
const AT_ONCE = 20;
/** The merchant has every third shop of a hundred, so one of these is among them. */
const SHOPS_TO_TRY = 30;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function open(t, size, options = {}) {
  const context = await openContext(browser, { ...VIEWPORTS[size], ...options });
  t.after(() => context.close());
  return { context, ...(await openPage(context)) };
}

const claimIn = (page, ...states) => page.locator(states.map((state) => `[data-test="claim"][data-state="${state}"]`).join(","));

for (const size of ["phone", "desktop"]) {
  test(`on a ${size}, a visitor finds a shop, wins a flash sale, pays, and uses it at the counter`, async (t) => {
    const { page, problems } = await open(t, size);
    const title = `旅程秒杀·${size}·${Date.now()}`;
    await findShopWithSale(page, title);
    await win(page);
    await payAtCashier(page);
    await useAtCounter(page);
    await seeWhatHappened(page, title);
    assert.deepEqual(problems, []);
  });
}

test("pressing twice in two tabs buys once, and both tabs know the order", async (t) => {
  const sale = await publishSale(await merchantOf(), { shopId: SHOP, title: "两个窗口", stock: 5 });
  const { context, page, problems } = await open(t, "desktop");
  await page.goto(`/sign-in?next=/sale/${sale}`);
  await signIn(page, freshPhone());
  const { page: other, problems: others } = await openPage(context);
  await other.goto(`/sale/${sale}`);
  await Promise.all([claimIn(page, "open").waitFor(), claimIn(other, "open").waitFor()]);

  await Promise.all([page, other].map((tab) => byTest(tab, "claim-button").dblclick()));
  const outcome = (tab) => byTest(tab, "claim-result").or(claimIn(tab, "already_bought"));
  await Promise.all([outcome(page).waitFor(), outcome(other).waitFor()]);
  const winners = (await byTest(page, "claim-result").count()) + (await byTest(other, "claim-result").count());
  assert.equal(winners, 1);

  await page.goto("/orders");
  await byTest(page, "order-card").first().waitFor();
  assert.equal(await byTest(page, "order-card").count(), 1);
  assert.deepEqual([...problems, ...others], []);
});

test("an ordinary voucher is bought, cancelled, bought again through the cashier for lack of balance, and refunded", async (t) => {
  const { page, problems } = await open(t, "phone");
  await page.goto(`/sign-in?next=/shop/${SHOP}`);
  await signIn(page, freshPhone());
  await byTest(page, "buy").first().click();
  await page.waitForURL(/\/pay\/\d+$/);
  await page.getByRole("link", { name: "返回" }).click();
  await page.waitForURL(/\/shop\//);
  await page.goto("/orders?status=1");
  await byTest(page, "order-card").getByRole("link").first().click();
  await byTest(page, "cancel-order").click();
  await page.getByRole("dialog").getByRole("button", { name: "确认" }).click();
  await statusIs(page, 4);

  await page.goto(`/shop/${SHOP}`);
  await byTest(page, "buy").first().click();
  await page.waitForURL(/\/pay\/\d+$/);
  await byTest(page, "pay-type-1").check();
  assert.ok(await byTest(page, "pay").isDisabled());
  await byTest(page, "pay-type-3").check();
  await payAtCashier(page);
  await byTest(page, "refund-order").click();
  await page.getByRole("dialog").getByRole("button", { name: "确认" }).click();
  await statusIs(page, 6);
  assert.equal(await byTest(page, "redeem-code").count(), 0);
  assert.deepEqual(problems, []);
});

test("a merchant redeems a voucher by its digits, once", async (t) => {
  const code = await paidVoucher();
  const { context, page, problems } = await open(t, "phone");
  await context.addCookies([(await merchantOf()).cookie]);
  await page.goto("/orders");
  await byTest(page, "to-redeem").click();
  await byTest(page, "redeem-input").pressSequentially(code.replaceAll(" ", ""));
  assert.equal(await byTest(page, "redeem-input").inputValue(), code);
  await byTest(page, "redeem").click();
  await byTest(page, "redeemed").waitFor();
  await byTest(page, "redeem-input").fill(code);
  await byTest(page, "redeem").click();
  await page.getByText("该券已核销").waitFor();
  assert.equal(await byTest(page, "redeemed").count(), 1);
  assert.deepEqual(problems, []);
});

/** The digits of a voucher that a buyer has for the merchant's shop. */
async function paidVoucher() {
  const buyer = await Person.signIn(freshPhone());
  const { data: vouchers } = await buyer.get(`/api/voucher/list/${SHOP}`);
  const { data: order } = await buyer.post(`/api/voucher-order/${vouchers.find((voucher) => voucher.type === 0).id}`);
  await buyer.post(`/api/voucher-order/${order}/pay`, { payType: 2 });
  return (await buyer.get(`/api/voucher-order/${order}`)).data.redeemCode;
}

test("in a crowd of two hundred the page stays usable and correct", async (t) => {
  const crowd = await inTurns(Array.from({ length: CROWD }, freshPhone), AT_ONCE, (phone) => Person.signIn(phone));
  const { page, problems } = await open(t, "phone");
  const sale = await publishSale(await merchantOf(), { shopId: SHOP, title: "人山人海", stock: STOCK });
  await page.goto(`/sign-in?next=/sale/${sale}`);
  await signIn(page, freshPhone());
  await claimIn(page, "open").waitFor();

  const rush = Promise.all(crowd.map((person) => person.post(`/api/voucher-order/seckill/${sale}`)));
  // The crowd may be faster: then it is a tap on a button that says so, and not one to wait for.
  await byTest(page, "claim-button").click({ force: true });
  await assertUsable(page);
  const replies = await rush;
  await byTest(page, "claim-result").or(claimIn(page, "sold_out")).waitFor();

  const granted = new Set(replies.filter((reply) => reply.success).map((reply) => reply.data));
  const won = (await byTest(page, "claim-result").count()) === 1;
  assert.equal(granted.size + (won ? 1 : 0), STOCK);
  assert.ok(replies.every((reply) => reply.success || reply.code === "sold_out"));
  const mine = await page.evaluate(async (id) => (await fetch(`/api/voucher/seckill/${id}`)).json(), sale);
  assert.equal(mine.data.orderId !== undefined, won);

  const { page: late, problems: lateProblems } = await open(t, "phone");
  await late.goto(`/sale/${sale}`);
  await claimIn(late, "sold_out").waitFor();
  await giveOneBack(crowd, replies);
  await claimIn(late, "open").waitFor();
  assert.deepEqual([...problems, ...lateProblems], []);
});

/** A buyer cancels: the unit is for sale again, and open pages show it. */
async function giveOneBack(crowd, replies) {
  const lucky = replies.findIndex((reply) => reply.success);
  const order = replies[lucky].data;
  const path = `/api/voucher-order/${order}`;
  const deadline = Date.now() + 15_000;
  while ((await crowd[lucky].get(path)).data?.status !== 1) assert.ok(Date.now() < deadline, "the order did not arrive");
  assert.equal((await crowd[lucky].post(`${path}/cancel`)).success, true);
}

async function inTurns(list, atOnce, work) {
  const done = [];
  for (let at = 0; at < list.length; at += atOnce) done.push(...(await Promise.all(list.slice(at, at + atOnce).map(work))));
  return done;
}

/** A tap is answered while the crowd is at it. */
async function assertUsable(page) {
  const began = performance.now();
  await byTest(page, "toggle-theme").click();
  await page.locator("html.dark").waitFor();
  assert.ok(performance.now() - began < 2000, "the page is stuck");
}

/** From the front page to a shop of the merchant, who begins a sale in a moment. */
async function findShopWithSale(page, title) {
  await page.goto("/");
  await byTest(page, "type").first().click();
  // The front page has cards of shops as well.
  await page.waitForURL(/\/shops\/\d+/);
  await byTest(page, "nearby").waitFor({ state: "detached" });
  const shop = await beginSale(page, title);
  await page.locator(`[data-test="shop-card"][href="${shop}"]`).click();
  await byTest(page, "sale-card").filter({ hasText: title }).click();
  await page.waitForURL(/\/sale\/\d+/);
}

/** The URL of the first shop in the list that is the merchant's. */
async function beginSale(page, title) {
  const merchant = await merchantOf();
  const cards = byTest(page, "shop-card");
  for (let at = 0; at < SHOPS_TO_TRY; at += 1) {
    await cards.nth(at).scrollIntoViewIfNeeded();
    const address = await cards.nth(at).getAttribute("href");
    const shopId = Number(address.split("/").at(-1));
    if ((await publishSale(merchant, { shopId, title, stock: 5, beginsInMs: 6000 })) !== null) return address;
  }
  throw new Error("none of the shops nearby belongs to the demo merchant");
}

/** The button waits for the server's clock; a visitor is sent to sign in and finds it again. */
async function win(page) {
  await claimIn(page, "waiting", "open").waitFor();
  await claimIn(page, "open").waitFor();
  await byTest(page, "claim-button").click();
  await page.waitForURL(/\/sign-in\?next=/);
  await signIn(page, freshPhone());
  await page.waitForURL(/\/sale\/\d+/);
  await claimIn(page, "open").waitFor();
  await byTest(page, "claim-button").click();
  await byTest(page, "claim-result").waitFor();
  await byTest(page, "to-pay").click();
  await page.waitForURL(/\/pay\/\d+$/);
}

async function payAtCashier(page) {
  await byTest(page, "pay").click();
  await page.waitForURL(/\/cashier\//);
  await page.getByRole("button", { name: "支付成功" }).click();
  await page.getByRole("link", { name: "返回订单" }).click();
  await page.waitForURL(/\/order\/\d+\?from=cashier$/);
  await byTest(page, "redeem-code").waitFor();
}

/** The merchant redeems the code by API; the buyer's open page shows it. */
async function useAtCounter(page) {
  const code = await byTest(page, "redeem-code").innerText();
  assert.match(code, /^\d{4} \d{4} \d{4} \d{4}$/);
  await page.getByRole("img", { name: "券码的二维码" }).waitFor();
  const merchant = await merchantOf();
  const used = await merchant.post("/api/voucher-order/redeem", { code });
  assert.equal(used.success, true);
  await statusIs(page, 3);
  assert.equal(await byTest(page, "redeem-code").count(), 0);
  assert.equal((await merchant.post("/api/voucher-order/redeem", { code })).code, "redeem_used");
}

async function seeWhatHappened(page, title) {
  await byTest(page, "notices").click();
  await page.getByText("券已核销").waitFor();
  await page.getByText("付款成功").waitFor();
  await page.goto("/orders?status=3");
  await byTest(page, "order-card").filter({ hasText: title }).waitFor();
}

function statusIs(page, status) {
  return page.locator(`[data-test="order-status"][data-status="${status}"]`).waitFor();
}
