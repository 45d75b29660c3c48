// Small things that decide whether a page can be used: where an error leads, where a message lies, how long a wait is.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { askForCode, byTest, freshPhone, launch, openContext, openPage, settled, signIn, VIEWPORTS } from "./browser.mjs";

/** The site locks a contact after fewer. */
const WRONG_CODES_MAX = 10;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function open(t, size) {
  const context = await openContext(browser, VIEWPORTS[size]);
  t.after(() => context.close());
  return openPage(context);
}

const focused = (page) => page.evaluate(() => document.activeElement?.getAttribute("data-test"));

test("a form that is refused leads to its first error, and all five stars fit on a small phone", async (t) => {
  const { page, problems } = await open(t, "small");
  await page.goto("/sign-in?next=/publish");
  await signIn(page, freshPhone());
  await settled(page);
  const tops = await Promise.all([1, 5].map(async (star) => (await byTest(page, `star-${star}`).boundingBox()).y));
  assert.equal(tops[0], tops[1], "the fifth star is beside the first");

  await byTest(page, "publish").click();
  await page.waitForFunction(() => document.activeElement?.getAttribute("aria-invalid") === "true");
  assert.equal(await focused(page), "choose-pictures");
  const { y } = await page.locator("label.add").boundingBox();
  assert.ok(y > 52 && y < 640, `the first error is at ${y}`);
  assert.deepEqual(problems, []);
});

test("after too many wrong codes the wait is counted down in minutes and seconds", async (t) => {
  const { page } = await open(t, "phone");
  await page.goto("/sign-in");
  const right = await askForCode(page, freshPhone());
  const wrong = right === "000000" ? "000001" : "000000";
  const submit = byTest(page, "submit");
  for (let tries = 0; tries < WRONG_CODES_MAX && (await submit.isEnabled()); tries++) {
    await byTest(page, "code").fill(wrong);
    await submit.click();
    await page.locator('[aria-invalid="true"]').waitFor();
    await page.waitForFunction(() => document.querySelector('[data-test="submit"][aria-busy]') === null);
  }
  assert.match(await submit.innerText(), /\d+:\d\d/);
  const before = await submit.innerText();
  await page.waitForFunction((text) => document.querySelector('[data-test="submit"]').innerText !== text, before);
});

test("a message on the page covers no code in its middle", async (t) => {
  const { page } = await open(t, "phone");
  await page.goto("/sign-in?next=/me/edit");
  await signIn(page, freshPhone());
  await byTest(page, "nick-name").fill(`小满${Date.now() % 10_000}`);
  await byTest(page, "save").click();
  const toast = await byTest(page, "toast").boundingBox();
  assert.ok(toast.y > 52 && toast.y + toast.height < 844 / 4, `the message is at ${toast.y}`);
});

test("the pictures of a shop are stepped through on the whole screen, by arrows and by keys", async (t) => {
  const { page } = await open(t, "desktop");
  await page.goto("/shop/4");
  await settled(page);
  await page.locator("button.slide").first().click();
  const viewer = byTest(page, "viewer");
  const [, count] = /1 \/ (\d+)/.exec(await viewer.locator(".count").innerText());
  assert.ok(Number(count) > 1);
  const at = (number) => viewer.getByText(`${number} / ${count}`, { exact: true }).waitFor();
  await byTest(page, "picture-after").click();
  await at(2);
  await byTest(page, "picture-before").click();
  await at(1);
  await page.keyboard.press("ArrowRight");
  await at(2);
  await page.keyboard.press("ArrowLeft");
  await at(1);
});
