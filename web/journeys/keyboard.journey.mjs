// Buying a voucher without a mouse: from the front page to the code, with Tab, arrows, Enter and typing alone.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, settled, VIEWPORTS } from "./browser.mjs";

/** More presses than any page here has stops before what is wanted. */
const PRESSES_MAX = 80;
/** Has an ordinary voucher. */
const SHOP = "/shop/1";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("somebody without a mouse signs in, buys a voucher, pays, and has its code", async (t) => {
  const context = await openContext(browser, VIEWPORTS.desktop);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await forbidMouse(page);
  await page.goto("/");
  await settled(page);

  await tabTo(page, ".sign-in");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/sign-in/);
  await tabTo(page, '[data-test="contact"]');
  await page.keyboard.type(freshPhone());
  await tabTo(page, '[data-test="send-code"]');
  await page.keyboard.press("Enter");
  const code = await byTest(page, "demo-code").locator("strong").innerText();
  await page.waitForFunction(() => document.activeElement?.matches('[data-test="code"]'));
  await page.keyboard.type(code);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/");

  await page.goto(SHOP);
  await settled(page);
  await tabTo(page, '[data-test="buy"]');
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/pay\/\d+$/);
  await settled(page);
  await tabTo(page, 'input[type="radio"]');
  await page.keyboard.press("ArrowDown");
  await tabTo(page, '[data-test="pay"]');
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/cashier\//);
  await tabTo(page, "form button");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "返回订单" }).waitFor();
  await tabTo(page, "p > a");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/order\/\d+/);
  await byTest(page, "redeem-code").waitFor();
  assert.deepEqual(problems, []);
});

/** Presses Tab until what is wanted has the focus. */
async function tabTo(page, selector) {
  for (let presses = 0; presses < PRESSES_MAX; presses++) {
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
    await page.keyboard.press("Tab");
  }
  assert.fail(`no Tab leads to ${selector} at ${page.url()}`);
}

/** A click that no key has made would be a mouse's. */
async function forbidMouse(page) {
  await page.addInitScript(() => {
    window.addEventListener("pointerdown", () => console.error("a mouse was used"), true);
  });
}
