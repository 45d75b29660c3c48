// Keeping shops: the heart, lists of one's own, a request that fails, and choosing notes by their stars.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";

const SHOP = 4;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const size of ["phone", "desktop"]) {
  test(`on a ${size}, a shop is kept, moved to a list of one's own, and kept no longer`, async (t) => {
    const context = await openContext(browser, VIEWPORTS[size]);
    t.after(() => context.close());
    const { page, problems } = await openPage(context);
    await page.goto(`/sign-in?next=/shop/${SHOP}`);
    await signIn(page, freshPhone());
    await byTest(page, "favourite").click();
    await page.getByText("已收藏到“想去”").waitFor();
    // The heading names the shop once the heart is there.
    const name = await page.getByRole("heading", { level: 1 }).innerText();
    await page.reload();
    await page.locator("[data-test=favourite][aria-pressed=true]").waitFor();

    await page.goto("/me");
    await byTest(page, "favourites").click();
    await byTest(page, "saved-shop").filter({ hasText: name }).waitFor();
    await nameList(page, "周末");
    await page.getByText("这里还没有店").waitFor();
    await list(page, "想去").click();
    await byTest(page, "move").selectOption({ label: "周末" });
    await page.getByText("这里还没有店").waitFor();
    await list(page, "周末").click();
    await page.waitForURL(/list=\d+$/);
    await byTest(page, "saved-shop").waitFor();

    await byTest(page, "rename-list").click();
    await byTest(page, "list-name").fill("约会");
    await byTest(page, "save-list").click();
    await list(page, "约会").waitFor();
    await byTest(page, "delete-list").click();
    await page.getByRole("dialog").getByRole("button", { name: "删除收藏夹" }).click();
    await byTest(page, "saved-shop").waitFor();

    await byTest(page, "remove-saved").click();
    await page.getByText("这里还没有店").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);
    assert.deepEqual(problems, []);
  });
}

test("a shop whose removal fails comes back, and so does the heart", async (t) => {
  const context = await openContext(browser, VIEWPORTS.phone);
  t.after(() => context.close());
  const { page } = await openPage(context);
  await page.goto(`/sign-in?next=/shop/${SHOP}`);
  await signIn(page, freshPhone());
  await byTest(page, "favourite").click();
  await page.getByText("已收藏到“想去”").waitFor();
  await page.route("**/api/favourite/shop/*", (route) => (route.request().method() === "DELETE" ? route.abort() : route.continue()));
  await byTest(page, "favourite").click();
  await byTest(page, "toast").filter({ hasNotText: "想去" }).waitFor();
  await page.locator("[data-test=favourite][aria-pressed=true]").waitFor();
  await page.goto("/me/favourites");
  await byTest(page, "remove-saved").click();
  await byTest(page, "saved-shop").waitFor();
});

test("the bars of a shop's stars choose its notes", async (t) => {
  const context = await openContext(browser, VIEWPORTS.phone);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await page.goto(`/shop/${SHOP}`);
  const rows = byTest(page, "star-filter").locator("button:enabled");
  const label = await rows.first().locator(".visually-hidden").textContent();
  await rows.first().click();
  const notes = Number(/(\d+) 篇笔记/.exec(label ?? "")?.[1]);
  assert.ok(notes > 0, `${label}`);
  const listed = page.waitForResponse((response) => response.url().includes("/api/blog/of/shop") && response.url().includes("stars="));
  await rows.nth(1).click();
  assert.equal((await listed).status(), 200);
  await byTest(page, "all-stars").click();
  await byTest(page, "all-stars").waitFor({ state: "detached" });
  assert.deepEqual(problems, []);
});

function list(page, name) {
  return byTest(page, "favourite-list").filter({ hasText: name });
}

async function nameList(page, name) {
  await byTest(page, "new-list").click();
  await byTest(page, "list-name").fill(" ");
  await byTest(page, "save-list").click();
  await page.getByText("名称须为 1 到 20 个字").waitFor();
  await byTest(page, "list-name").fill(name);
  await byTest(page, "save-list").click();
  await list(page, name).waitFor();
}
