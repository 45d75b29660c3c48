// The server is killed in the middle of a claim and comes back: the page is correct all the time, and in the end
// there is one order. On a site of its own.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";
import { openOwnSite } from "./ownSite.mjs";
import { merchantOf, publishSale } from "./people.mjs";

/** Belongs to the demo merchant. */
const SHOP = 1;
const CLAIM = "**/api/voucher-order/seckill/*";

let browser;
let site;
before(async () => {
  [browser, site] = await Promise.all([launch(), openOwnSite()]);
});
after(() => Promise.all([browser?.close(), site?.close()]));

const claimIn = (page, state) => page.locator(`[data-test="claim"][data-state="${state}"]`);

/** A buyer on the page of an open sale of a single unit. */
async function beforeSale(t, title) {
  const sale = await publishSale(await merchantOf(site.url), { shopId: SHOP, title, stock: 1 });
  const context = await openContext(browser, { ...VIEWPORTS.phone, baseURL: site.url });
  t.after(() => context.close());
  const { page } = await openPage(context);
  await page.goto(`/sign-in?next=/sale/${sale}`);
  await signIn(page, freshPhone());
  await claimIn(page, "open").waitFor();
  return page;
}

/** Kills the site around the first claim; later ones find whatever is there. Returns the names of all claims. */
async function killAround(page, around) {
  const names = [];
  await page.route(CLAIM, async (route) => {
    names.push(route.request().headers()["idempotency-key"]);
    if (names.length > 1) return route.continue();
    await around(route);
    await route.abort("connectionreset");
  });
  return names;
}

async function assertOneOrder(page, title) {
  await page.goto("/orders");
  await byTest(page, "order-card").filter({ hasText: title }).waitFor();
  assert.equal(await byTest(page, "order-card").count(), 1);
}

test("a claim that was granted without a reply is found when the server is back", async (t) => {
  const title = "答复丢失";
  const page = await beforeSale(t, title);
  const names = await killAround(page, async (route) => {
    assert.equal((await (await route.fetch()).json()).success, true);
    await site.kill();
  });
  await byTest(page, "claim-button").click();
  await claimIn(page, "in_doubt").waitFor();
  await site.start();
  await byTest(page, "to-pay").waitFor();
  assert.ok(names.length > 1);
  assert.equal(new Set(names).size, 1);
  await assertOneOrder(page, title);
});

test("a claim that never arrived is made when the server is back", async (t) => {
  const title = "请求丢失";
  const page = await beforeSale(t, title);
  const names = await killAround(page, () => site.kill());
  await byTest(page, "claim-button").click();
  await claimIn(page, "in_doubt").waitFor();
  await site.start();
  await byTest(page, "to-pay").waitFor();
  assert.equal(new Set(names).size, 1);
  await assertOneOrder(page, title);
});

test("a reload in between finds the order", async (t) => {
  const title = "中途刷新";
  const page = await beforeSale(t, title);
  await killAround(page, async (route) => {
    await route.fetch();
    await site.kill();
  });
  await byTest(page, "claim-button").click();
  await claimIn(page, "in_doubt").waitFor();
  await page.unroute(CLAIM);
  await page.route(CLAIM, (route) => route.abort("connectionreset"));
  await site.start();
  await page.reload();
  await claimIn(page, "already_bought").waitFor();
  await byTest(page, "see-order").click();
  await byTest(page, "to-pay").waitFor();
  await assertOneOrder(page, title);
});
