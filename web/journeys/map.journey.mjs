// The map's ground: drawn where a city is known, left out where none is.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, launch, openContext, openPage, settled, VIEWPORTS } from "./browser.mjs";

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

for (const [city, at, district] of [
  ["Hangzhou", "120.15,30.33", "拱墅区"],
  ["Shanghai", "121.4737,31.2304", "黄浦区"],
  ["Chengdu", "104.0657,30.6595", "锦江区"],
]) {
  test(`the map of ${city} shows its streets and its districts`, async () => {
    const { context, page, problems } = await open(`/map?at=${at}`);
    await byTest(page, "ground").waitFor();
    await byTest(page, "ground").getByText(district, { exact: true }).waitFor();
    assert.ok((await byTest(page, "ground").locator("path").count()) > 8);
    assert.ok((await byTest(page, "shop-card").count()) > 0);
    assert.deepEqual(problems, []);
    await context.close();
  });
}

test("a site without a file of streets has the drawn ground alone, and asks for nothing else", async () => {
  const context = await openContext(browser, VIEWPORTS.phone);
  const { page, problems } = await openPage(context);
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto("/map");
  await settled(page);
  await byTest(page, "ground").waitFor();
  assert.equal(await byTest(page, "streets").count() + (await byTest(page, "map-credit").count()), 0);
  assert.deepEqual(asked.filter((path) => /tiles|engine/.test(path)), []);
  assert.deepEqual(problems, []);
  await context.close();
});

test("the list beside the map grows as it is read, and a place without a map has the list alone", async () => {
  const { context, page, problems } = await open("/map");
  const cards = byTest(page, "shop-card");
  const first = await cards.count();
  await cards.last().scrollIntoViewIfNeeded();
  await page.waitForFunction((count) => document.querySelectorAll('[data-test="shop-card"]').length > count, first);

  await page.goto("/map?at=116.4,39.9");
  await byTest(page, "unmapped").waitFor();
  await settled(page);
  assert.equal(await byTest(page, "map").count(), 0);
  assert.deepEqual(problems, []);
  await context.close();
});

async function open(path) {
  const context = await openContext(browser, VIEWPORTS.small);
  const { page, problems } = await openPage(context);
  await page.goto(path);
  await settled(page);
  return { context, page, problems };
}
