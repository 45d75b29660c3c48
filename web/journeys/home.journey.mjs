// The front page as somebody new sees it on a phone: what this is, what can be bought now, when the rest begins, and
// which shops are near.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, launch, openContext, openPage, settled, VIEWPORTS } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a guest on a phone reads what this is, what begins when, and finds shops nearby", async (t) => {
  const context = await openContext(browser, VIEWPORTS.phone);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await page.goto("/");
  await settled(page);
  assert.ok(await byTest(page, "lead").isVisible());
  const [begins] = await byTest(page, "begins-at").allInnerTexts();
  assert.match(begins, /\d{1,2}:\d{2}/);
  assert.equal(await page.getByText(/ 0%/).count(), 0);
  const shops = byTest(page, "nearby").locator('[data-test="shop-card"]');
  assert.equal(await shops.count(), 4);
  await shops.first().click();
  await page.waitForURL(/\/shop\/\d+$/);
  assert.deepEqual(problems, []);
});

test("a sold-out sale comes after those that can be bought", async (t) => {
  const context = await openContext(browser, VIEWPORTS.phone);
  t.after(() => context.close());
  const { page } = await openPage(context);
  // The first of the list, as the server sends it, has nothing left.
  await page.route("**/api/voucher/seckill/running*", async (route) => {
    const response = await route.fetch();
    const envelope = await response.json();
    envelope.data[0].stock = 0;
    envelope.data[0].title = "抢光的一场";
    await route.fulfill({ response, json: envelope });
  });
  await page.goto("/");
  await byTest(page, "sale-card").first().waitFor();
  const titles = await byTest(page, "sale-card").allInnerTexts();
  assert.ok(titles.length > 2);
  const place = titles.findIndex((title) => title.includes("抢光的一场"));
  // One of the demo data is sold out as well.
  const after = titles.slice(place + 1);
  assert.ok(place > 1 && after.length < 2 && after.every((title) => title.includes("已抢光")), titles.join("\n"));
});
