// What people say of a shop beside their stars: rated and recommended on a phone, kept in the draft, shown on the note and on
// the shop's page, found by a dish, changed, and gone with the note.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";
import { photo } from "./photo.mjs";

/** A noodle shop of the demo. */
const NOODLES = 1;
/** Nobody of the demo recommends it. */
const DISH = "招牌虾仁面";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

async function enter(t, size) {
  const context = await openContext(browser, size);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await page.goto(`/sign-in?next=/publish?shop=${NOODLES}`);
  await signIn(page, freshPhone());
  return { page, problems };
}

async function assertNoOverflow(page) {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);
}

async function startNote(page) {
  await page.goto(`/publish?shop=${NOODLES}`);
  await byTest(page, "chosen-shop").waitFor();
  await byTest(page, "choose-pictures").setInputFiles([await photo(page, "#c33")]);
  await byTest(page, "crop").first().waitFor();
  await byTest(page, "star-4").click();
  await byTest(page, "main-5").click();
  await byTest(page, "service-3").click();
  const input = byTest(page, "dish-input");
  await input.fill(DISH);
  await input.press("Enter");
  await byTest(page, "known-dish").first().click();
  await page.waitForFunction(() => document.querySelectorAll('[data-test="dish"]').length === 2);
}

test("on a narrow phone, aspects and dishes are kept in the draft, published, found and changed", async (t) => {
  const { page, problems } = await enter(t, VIEWPORTS.small);
  await startNote(page);
  await page.reload();
  assert.ok(await byTest(page, "aspects").getByRole("radio", { name: "5 星" }).first().isChecked());
  assert.equal(await byTest(page, "dish").count(), 2);
  await assertNoOverflow(page);
  await byTest(page, "note-title").fill("面很筋道");
  await byTest(page, "note-text").fill("下次还来。");
  await byTest(page, "publish").click();
  await page.waitForURL(/\/note\/\d+$/);
  const note = page.url();
  await byTest(page, "note-ratings").filter({ hasText: "口味" }).waitFor();
  await byTest(page, "note-dishes").filter({ hasText: DISH }).waitFor();
  await assertNoOverflow(page);

  await page.goto(`/shop/${NOODLES}`);
  await byTest(page, "aspect-means").filter({ hasText: "口味" }).waitFor();
  await byTest(page, "dishes").getByRole("button", { name: `${DISH}，1 人推荐` }).click();
  await byTest(page, "all-dishes").waitFor();
  await page.waitForFunction(() => document.querySelectorAll('[data-test="note-card"]').length === 1);
  await assertNoOverflow(page);
  await byTest(page, "all-dishes").click();
  await page.waitForFunction(() => document.querySelectorAll('[data-test="note-card"]').length > 1);

  await page.goto(note);
  await byTest(page, "edit-note").click();
  await byTest(page, "dish").first().waitFor();
  await page.getByRole("button", { name: `移除“${DISH}”` }).click();
  await byTest(page, "aspects").getByRole("button", { name: "清除" }).first().click();
  await byTest(page, "save-note").click();
  await page.waitForURL(/\/note\/\d+$/);
  await byTest(page, "note-dishes").waitFor();
  assert.equal(await byTest(page, "note-dishes").getByText(DISH).count(), 0);
  assert.equal(await byTest(page, "note-ratings").getByText("口味").count(), 0);
  assert.deepEqual(problems, []);
});
