// A note begun on a phone and finished on a desktop, and two devices that write the same draft at once.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";
import { photo } from "./photo.mjs";

const SHOP = "四季居酒屋";
const EVERYWHERE = "草稿已保存，换台设备也能接着写";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a note begun on a phone is finished on a desktop, and its draft is gone from both", async (t) => {
  const first = await device(t, VIEWPORTS.phone);
  await byTest(first.page, "choose-pictures").setInputFiles([await photo(first.page, "#c33")]);
  await byTest(first.page, "crop").first().waitFor();
  await byTest(first.page, "note-title").fill("巷口的一碗片儿川");
  await byTest(first.page, "search").fill(SHOP);
  await byTest(first.page, "suggestion").first().click();
  await byTest(first.page, "note-text").fill("笋片很嫩。");
  await saved(first.page);

  const second = await device(t, VIEWPORTS.desktop, first);
  await byTest(second.page, "drafts").locator("summary").click();
  await byTest(second.page, "open-draft").click();
  await second.page.getByText(SHOP).waitFor();
  assert.equal(await byTest(second.page, "note-title").inputValue(), "巷口的一碗片儿川");
  assert.equal(await byTest(second.page, "note-text").inputValue(), "笋片很嫩。");
  await byTest(second.page, "crop").first().waitFor();
  await byTest(second.page, "publish").click();
  await second.page.waitForURL(/\/note\/\d+$/);
  await second.page.getByText("笋片很嫩。").waitFor();

  // The phone has not written since: there is nothing to keep.
  await first.page.reload();
  await first.page.waitForFunction(() => document.querySelector("[data-test=note-title]")?.value === "");
  assert.equal(await byTest(first.page, "other-draft").count(), 0);
  assert.deepEqual([...first.problems, ...second.problems], []);
});

test("of two devices that changed a draft the author keeps what they choose, and can write several", async (t) => {
  const first = await device(t, VIEWPORTS.phone);
  await byTest(first.page, "note-text").fill("第一句。");
  await saved(first.page);
  const second = await device(t, VIEWPORTS.desktop, first);
  await byTest(second.page, "drafts").locator("summary").click();
  await byTest(second.page, "open-draft").click();
  await byTest(second.page, "note-text").fill("第一句。电脑上的第二句。");
  await saved(second.page);

  await byTest(first.page, "note-text").fill("第一句。手机上的第二句。");
  const conflict = byTest(first.page, "draft-conflict");
  await conflict.waitFor();
  await conflict.getByText("电脑上的第二句").waitFor();
  await byTest(first.page, "publish").click();
  await first.page.getByRole("status").filter({ hasText: "请先在页面顶部选择" }).waitFor();
  await byTest(first.page, "take-theirs").click();
  await conflict.waitFor({ state: "detached" });
  assert.equal(await byTest(first.page, "note-text").inputValue(), "第一句。电脑上的第二句。");

  await byTest(first.page, "drafts").locator("summary").click();
  await byTest(first.page, "another-draft").click();
  await byTest(first.page, "other-draft").waitFor();
  assert.equal(await byTest(first.page, "note-text").inputValue(), "");
  await byTest(first.page, "note-text").fill("另一篇。");
  await saved(first.page);
  await byTest(first.page, "remove-draft").click();
  await first.page.getByRole("dialog").getByRole("button", { name: "删除" }).click();
  await byTest(first.page, "other-draft").waitFor({ state: "detached" });
  assert.equal(await byTest(first.page, "note-text").inputValue(), "另一篇。");
  assert.deepEqual([...first.problems, ...second.problems], []);
});

/** A device of a new person, or another one of a person who signed in on the first. */
async function device(t, viewport, first) {
  const context = await openContext(browser, viewport);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  if (first === undefined) {
    await page.goto("/sign-in?next=/publish");
    await signIn(page, freshPhone());
  } else {
    await context.addCookies(await first.context.cookies());
    await page.goto("/publish");
  }
  await byTest(page, "note-title").waitFor();
  return { context, page, problems };
}

async function saved(page) {
  await byTest(page, "draft-state").filter({ hasText: EVERYWHERE }).waitFor();
}
