// Finding a place to go, on a phone and on a desktop: by kind, by name and on the map, and back to where one was.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const size of ["phone", "desktop"]) {
  test(`on a ${size}, a shop is found by kind, by name and on the map, and the back button leads to the same place`, async (t) => {
    const context = await openContext(browser, VIEWPORTS[size]);
    t.after(() => context.close());
    const { page, problems } = await openPage(context);

    await page.goto("/sign-in?next=/");
    await signIn(page, freshPhone());
    await byKind(page);
    await byName(page);
    await onTheMap(page);
    await throughTheNotes(page);
    assert.deepEqual(problems, []);
  });
}

test("the position is used when the browser allows it, and a refusal is reported", async (t) => {
  const chengdu = { latitude: 30.6575, longitude: 104.0785 };
  const context = await openContext(browser, { ...VIEWPORTS.phone, geolocation: chengdu, permissions: ["geolocation"] });
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await page.goto("/shops/1");
  await byTest(page, "place").click();
  await page.getByRole("dialog").getByRole("button", { name: "使用我的位置" }).click();
  await byTest(page, "place").filter({ hasText: "我的位置" }).waitFor();
  await byTest(page, "shop-card").filter({ hasText: "春熙路" }).first().waitFor();

  await context.clearPermissions();
  await page.reload();
  await byTest(page, "place").filter({ hasText: "杭州" }).waitFor();
  await byTest(page, "place").click();
  await page.getByText("浏览器没有允许定位").waitFor();
  assert.deepEqual(problems, []);
});

async function byKind(page) {
  await choosePlace(page, "上海");
  await byTest(page, "type").filter({ hasText: "美食" }).click();
  await page.waitForURL(/\/shops\/1$/);
  const inShanghai = await firstName(page);
  await choosePlace(page, "杭州");
  await byTest(page, "shop-card").filter({ hasText: inShanghai }).waitFor({ state: "detached" });

  await byTest(page, "sort").getByText("评分").click();
  await page.waitForURL(/sort=score/);
  await byTest(page, "shop-card").filter({ hasText: "5.0" }).first().waitFor();
  await returnsToTheSamePlace(page, "shop-card", 13, /\/shop\/\d+$/);
}

async function byName(page) {
  await page.goto("/");
  await byTest(page, "to-search").click();
  await byTest(page, "search").fill("面");
  await byTest(page, "suggestion").first().waitFor();
  const name = (await byTest(page, "suggestion").first().locator(".name").innerText()).trim();
  await byTest(page, "search").press("ArrowDown");
  await byTest(page, "search").press("Enter");
  await page.getByRole("heading", { level: 1, name }).waitFor();
  await page.goBack();
  await byTest(page, "search").fill("没有这样的店");
  await byTest(page, "search").press("Enter");
  await page.getByText("没有找到“没有这样的店”").waitFor();
  await byTest(page, "everywhere").click();
  await page.waitForURL(/within=any/);
  await byTest(page, "drop-filters").waitFor();
  await byTest(page, "search").fill("面馆");
  await byTest(page, "search").press("Enter");
  await narrowed(page);
  await byTest(page, "tab-notes").click();
  await page.waitForURL(/tab=notes/);
  await byTest(page, "tab-people").click();
  await page.waitForURL(/tab=people/);
  await fromHistory(page);
  await byTest(page, "shop-card").filter({ hasText: "面馆" }).first().click();
  await byTest(page, "shop").waitFor();
}

/** With the keyboard: the chip is a button that says whether it is pressed, and the list follows. */
async function narrowed(page) {
  await byTest(page, "shop-card").filter({ hasText: "面馆" }).first().waitFor();
  const chip = byTest(page, "filter-within-1000");
  await chip.focus();
  await chip.press("Enter");
  await page.waitForURL(/within=1000/);
  assert.equal(await chip.getAttribute("aria-pressed"), "true");
  await chip.press("Enter");
  await page.waitForURL((url) => !url.searchParams.has("within"));
  await byTest(page, "shop-card").filter({ hasText: "面馆" }).first().waitFor();
}

/** What was searched is offered again, until it is removed. */
async function fromHistory(page) {
  await byTest(page, "search").fill("");
  await byTest(page, "search").press("Enter");
  const history = byTest(page, "history");
  await history.getByRole("button", { name: "删除“没有这样的店”" }).click();
  await history.getByText("没有这样的店").waitFor({ state: "detached" });
  await history.getByRole("button", { name: "面馆", exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("q") === "面馆");
}

async function onTheMap(page) {
  const name = await page.getByRole("heading", { level: 1 }).innerText();
  await byTest(page, "on-map").click();
  await byTest(page, "chosen").filter({ hasText: name }).waitFor();
  const map = byTest(page, "map");
  await map.focus();
  await map.press("0");
  const whole = await mapLooks(page);
  for (const key of ["+", "+", "ArrowUp"]) await map.press(key);
  const before = await mapLooks(page);
  assert.notDeepEqual(before, whole);
  await byTest(page, "chosen").click();
  await byTest(page, "shop").waitFor();
  await page.goBack();
  await byTest(page, "chosen").filter({ hasText: name }).waitFor();
  await byTest(page, "marker").first().waitFor();
  assert.deepEqual(await mapLooks(page), before);
}

async function throughTheNotes(page) {
  await page.goto("/");
  await returnsToTheSamePlace(page, "note-card", 23, /\/note\/\d+$/);
}

/** Opens one far down an infinite list and comes back: it is there, and where it was on the screen. */
async function returnsToTheSamePlace(page, card, index, opened) {
  await byTest(page, card).first().waitFor();
  while ((await byTest(page, card).count()) <= index) {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
  }
  const address = await byTest(page, card).nth(index).getAttribute("href");
  const target = page.locator(`[data-test="${card}"][href="${address}"]`);
  await target.evaluate((element) => element.scrollIntoView({ block: "center" }));
  const top = () => target.evaluate((element) => element.getBoundingClientRect().top);
  const before = await top();
  await target.click();
  await page.waitForURL(opened);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.goBack();
  await target.waitFor();
  await page.waitForFunction(
    ([element, was]) => Math.abs(element.getBoundingClientRect().top - was) < 2,
    [await target.elementHandle(), before],
  );
}

async function choosePlace(page, city) {
  await byTest(page, "place").click();
  await page.getByRole("dialog").getByRole("button", { name: city }).click();
  await byTest(page, "place").filter({ hasText: city }).waitFor();
}

async function firstName(page) {
  return byTest(page, "shop-card").first().locator(".name").innerText();
}

/** The position of every marker. */
async function mapLooks(page) {
  return byTest(page, "marker").evaluateAll((markers) => markers.map((marker) => `${marker.title} ${marker.style.transform}`));
}
