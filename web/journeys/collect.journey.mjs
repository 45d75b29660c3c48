// Keeping notes, and blocking people: the star, a request that fails, what a block hides and refuses, and lifting it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { answered, byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS, WAIT_MS } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const size of ["small", "desktop"]) {
  test(`on a ${size} screen, a note is kept, found under what is kept, and kept no longer`, async (t) => {
    const { page, problems, note } = await onNote(t, VIEWPORTS[size]);
    await byTest(page, "keep-note").click();
    await page.getByText("已收藏，可在").waitFor();
    await page.reload();
    await page.locator("[data-test=keep-note][aria-pressed=true]").waitFor();
    await noSideScroll(page);

    await page.goto("/me");
    await byTest(page, "favourites").click();
    await byTest(page, "tab-notes").click();
    await byTest(page, "saved-note").filter({ hasText: note.title }).waitFor();
    await noSideScroll(page);
    await byTest(page, "remove-saved-note").click();
    // The page shows it before the server has it.
    await byTest(page, "toast").filter({ hasText: "已取消收藏" }).waitFor();
    await page.reload();
    await page.getByText("还没有收藏笔记").waitFor();
    assert.deepEqual(problems, []);
  });
}

test("a note whose removal fails comes back, and so does the star", async (t) => {
  const { page } = await onNote(t, VIEWPORTS.phone);
  await byTest(page, "keep-note").click();
  await page.getByText("已收藏，可在").waitFor();
  await page.route("**/api/favourite/note/*", (route) => (route.request().method() === "DELETE" ? route.abort() : route.continue()));
  await byTest(page, "keep-note").click();
  await byTest(page, "toast").filter({ hasNotText: "已收藏" }).waitFor();
  await page.locator("[data-test=keep-note][aria-pressed=true]").waitFor();
  await page.goto("/me/favourites?tab=notes");
  await byTest(page, "remove-saved-note").click();
  await byTest(page, "toast").waitFor();
  await byTest(page, "saved-note").waitFor();
});

for (const size of ["small", "desktop"]) {
  test(`on a ${size} screen, a blocked person's notes leave the front page until the block is lifted`, async (t) => {
    const { page, problems, note } = await onNote(t, VIEWPORTS[size]);
    const theirs = async () => {
      const list = (await callGet(page, "/api/blog/hot")) ?? [];
      return list.filter((it) => it.userId === note.userId).length;
    };
    assert.ok((await theirs()) > 0);
    await page.goto(`/user/${note.userId}`);
    await byTest(page, "follow").click();
    await byTest(page, "follow").filter({ hasText: "已关注" }).waitFor();
    await byTest(page, "block").click();
    await page.getByRole("dialog").getByRole("button", { name: "拉黑" }).click();
    await byTest(page, "blocked").waitFor();
    await noSideScroll(page);
    await until(page, async () => (await theirs()) === 0);
    await page.reload();
    await byTest(page, "blocked").waitFor();

    await page.goto("/me/settings");
    await byTest(page, "blocked-people").click();
    await byTest(page, "blocked-person").filter({ hasText: note.name }).waitFor();
    await noSideScroll(page);
    await byTest(page, "unblock").click();
    await page.getByText("黑名单是空的").waitFor();
    await byTest(page, "toast").filter({ hasText: "已移出黑名单" }).waitFor();
    await until(page, async () => (await theirs()) > 0);
    await page.goto(`/user/${note.userId}`);
    await byTest(page, "follow").filter({ hasNotText: "已关注" }).waitFor();
    assert.deepEqual(problems, []);
  });
}

test("who is blocked is refused neutrally, and their comments leave the thread", async (t) => {
  const { page: mine, note } = await onNote(t, VIEWPORTS.phone);
  const { page: theirs } = await onNote(t, VIEWPORTS.desktop);
  const [said, replied] = [`排队吗 ${freshPhone()}`, `不用排 ${freshPhone()}`];
  await comment(mine, said);
  await theirs.goto(`/note/${note.id}`);
  const target = byTest(theirs, "comment").filter({ hasText: said });
  await target.locator("[data-test=reply]").click();
  await comment(theirs, replied);

  await mine.reload();
  const reply = byTest(mine, "comment").filter({ hasText: replied });
  await reply.locator("[data-test=report]").click();
  await byTest(mine, "block-author").click();
  await mine.getByRole("dialog").getByRole("button", { name: "拉黑" }).click();
  await reply.waitFor({ state: "detached" });
  await byTest(mine, "comment").filter({ hasText: said }).waitFor();

  await target.locator("[data-test=reply]").click();
  await byTest(theirs, "comment-text").fill("再问一句");
  await byTest(theirs, "send-comment").click();
  await byTest(theirs, "toast").filter({ hasText: "无法与对方互动" }).waitFor();
  assert.equal(await byTest(theirs, "comment-text").inputValue(), "再问一句");
});

/** A fresh person on a popular note. */
async function onNote(t, viewport) {
  const context = await openContext(browser, viewport);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  const [note] = await callGet(page, "/api/blog/hot");
  await page.goto(`/sign-in?next=/note/${note.id}`);
  await signIn(page, freshPhone());
  await byTest(page, "note-title").waitFor();
  await answered(page);
  return { page, problems, note };
}

/** What a cache says may take a moment. */
async function until(page, holds) {
  const giveUpAt = Date.now() + WAIT_MS;
  while (!(await holds())) {
    assert.ok(Date.now() < giveUpAt, "it does not come to hold");
    await page.waitForTimeout(100);
  }
}

async function callGet(page, path) {
  const reply = await page.request.get(path);
  return (await reply.json()).data;
}

async function comment(page, text) {
  await byTest(page, "comment-text").fill(text);
  await byTest(page, "send-comment").click();
  await byTest(page, "comment").filter({ hasText: text }).waitFor();
}

async function noSideScroll(page) {
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);
}
