// A note from its first picture to its end: written on a phone, found by a follower on a desktop, talked about, and deleted.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";
import { photo } from "./photo.mjs";

const TITLE = "巷口的一碗片儿川";
const CHANGED = "巷口的两碗片儿川";
const SHOP = "四季居酒屋";
/** More than the server keeps of a picture, in both directions. */
const KEPT_SIDE_PX = 1600;

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

test("a note with pictures reaches a follower, who likes and comments on it, until its author deletes it", async (t) => {
  const author = await enter(t, VIEWPORTS.phone);
  const reader = await enter(t, VIEWPORTS.desktop);

  await follow(reader.page, author.id);
  await reader.page.goto("/feed");
  await reader.page.getByText("还没有动态").waitFor();

  await startNote(author.page);
  await author.page.reload();
  await finishNote(author.page);
  await readInFeed(reader.page);
  await discuss(reader.page, author.page);
  await readNotices(author.page);
  await change(author);
  await remove(author.page);

  await reader.page.reload();
  await reader.page.getByText("这篇笔记不存在或已删除").waitFor();
  await reader.page.goto("/feed");
  await reader.page.getByText("还没有动态").waitFor();
  assert.equal(await byTest(reader.page, "post").count(), 0);
  // Its address has the status 404, which Chromium logs.
  const others = reader.problems.filter((problem) => !/ 404 .*\/note\/\d+\)$/.test(problem));
  assert.deepEqual([...author.problems, ...others], []);
});

test("a note whose reply is lost is published once, although its author goes on writing", async (t) => {
  const { page } = await enter(t, VIEWPORTS.phone);
  await page.goto("/publish");
  await byTest(page, "choose-pictures").setInputFiles([await photo(page, "#c33")]);
  await byTest(page, "crop").first().waitFor();
  await byTest(page, "note-title").fill(TITLE);
  await byTest(page, "note-text").fill("笋片很嫩。");
  await byTest(page, "search").fill(SHOP);
  await byTest(page, "suggestion").first().click();
  await page.route("**/api/blog", loseReply, { times: 2 });
  await byTest(page, "publish").click();
  await page.getByRole("alert").filter({ hasText: "网络" }).waitFor();
  await page.reload();
  await page.getByText("已恢复上次没写完的草稿").waitFor();
  await byTest(page, "publish").click();
  await page.getByRole("alert").filter({ hasText: "网络" }).waitFor();
  await byTest(page, "note-text").fill("笋片很嫩，汤也鲜。");
  await byTest(page, "publish").click();
  await page.getByRole("dialog").getByRole("button", { name: "更新笔记" }).click();
  await page.waitForURL(/\/note\/\d+$/);
  await page.getByText("笋片很嫩，汤也鲜。").waitFor();
  const { data: mine } = await (await page.request.get("/api/blog/of/me")).json();
  assert.equal(mine.length, 1);
});

/** The server does what it is asked, and the page never hears of it. */
async function loseReply(route) {
  await route.fetch();
  await route.abort();
}

async function enter(t, size) {
  const context = await openContext(browser, size);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await page.goto("/sign-in?next=/feed");
  await signIn(page, freshPhone());
  const { data: me } = await (await context.request.get("/api/user/me")).json();
  return { context, page, problems, id: me.id };
}

async function follow(page, id) {
  await page.goto(`/user/${id}`);
  await byTest(page, "follow").click();
  await byTest(page, "follow").filter({ hasText: "已关注" }).waitFor();
  await byTest(page, "fans").filter({ hasText: "1" }).waitFor();
}

/** Pictures come while one writes; what is there when the page is left is there again afterwards. */
async function startNote(page) {
  await page.goto("/publish");
  const files = await Promise.all(["#c33", "#3a3", "#33c"].map((color) => photo(page, color)));
  await byTest(page, "choose-pictures").setInputFiles(files);
  await byTest(page, "move-before").nth(2).waitFor();
  await byTest(page, "move-before").nth(2).click();
  await byTest(page, "move-before").nth(1).click();
  await byTest(page, "remove-picture").nth(2).click();
  await page.waitForFunction(() => document.querySelectorAll('[data-test="picture"]').length === 2);
  await byTest(page, "crop").first().click();
  await page.getByText("1 : 1").click();
  await byTest(page, "apply-crop").click();
  await byTest(page, "apply-crop").waitFor({ state: "detached" });
  await byTest(page, "crop").nth(1).waitFor();
  await byTest(page, "note-title").fill(TITLE);
}

async function finishNote(page) {
  await page.getByText("已恢复上次没写完的草稿").waitFor();
  assert.equal(await byTest(page, "note-title").inputValue(), TITLE);
  assert.equal(await byTest(page, "picture").count(), 2);
  await byTest(page, "publish").click();
  await page.getByText("写几句正文吧").first().waitFor();

  await byTest(page, "search").fill(SHOP);
  await byTest(page, "suggestion").first().click();
  await byTest(page, "chosen-shop").filter({ hasText: SHOP }).waitFor();
  await byTest(page, "star-4").click();
  await byTest(page, "note-text").fill("笋片很嫩。\n雪菜不咸。");
  await byTest(page, "publish").click();
  await page.waitForURL(/\/note\/\d+$/);
  await byTest(page, "note-title").filter({ hasText: TITLE }).waitFor();
  assert.equal(await page.getByText("笋片很嫩。").innerText(), "笋片很嫩。\n雪菜不咸。");
  await assertPictures(page);
}

/** Two are left, the last chosen is the first shown, cropped to a square, and no larger than the server keeps it. */
async function assertPictures(page) {
  await page.getByText("1 / 2").waitFor();
  const cover = page.getByRole("button", { name: "查看大图，第 1 张，共 2 张" }).locator("img");
  const [size, rgb] = await cover.evaluate(async (image) => {
    await image.decode();
    const context = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
    context.drawImage(image, 0, 0, 1, 1);
    return [[image.naturalWidth, image.naturalHeight], [...context.getImageData(0, 0, 1, 1).data]];
  });
  assert.deepEqual(size, [KEPT_SIDE_PX, KEPT_SIDE_PX]);
  assert.ok(rgb[2] > 150 && rgb[0] < 100, `the cover should be blue, not ${rgb}`);
  await cover.click();
  await byTest(page, "viewer").waitFor();
  await page.keyboard.press("Escape");
  await byTest(page, "viewer").waitFor({ state: "detached" });
}

/** The open feed announces new notes as soon as it becomes visible again. */
async function readInFeed(page) {
  await page.waitForFunction(
    () => {
      document.dispatchEvent(new Event("visibilitychange"));
      return document.querySelector('[data-test="fresh"]') !== null;
    },
    undefined,
    { polling: 500 },
  );
  await byTest(page, "fresh").click();
  const post = byTest(page, "post").filter({ hasText: TITLE });
  // A like is shown before it is stored; the next page shows what is stored.
  const stored = page.waitForResponse((response) => response.url().includes("/api/blog/like/"));
  await post.locator('[data-test="like-post"]').click();
  await stored;
  await post.locator('[data-test="like-post"][aria-pressed="true"]').waitFor();
  await post.getByRole("link", { name: TITLE }).click();
  await page.waitForURL(/\/note\/\d+$/);
  await page.locator('[data-test="like-note"][aria-pressed="true"]').waitFor();
}

async function discuss(reader, author) {
  await byTest(reader, "comment-text").fill("看饿了，人多吗？");
  await byTest(reader, "send-comment").click();
  await byTest(reader, "comment").filter({ hasText: "看饿了" }).waitFor();

  await author.reload();
  await byTest(author, "likers").filter({ hasText: "1 人喜欢" }).waitFor();
  const comment = byTest(author, "comment").filter({ hasText: "看饿了" });
  await comment.locator('[data-test="like-comment"]').click();
  await comment.locator('[data-test="reply"]').click();
  await author.getByRole("button", { name: "取消回复" }).click();
  await author.getByRole("button", { name: "取消回复" }).waitFor({ state: "detached" });
  await comment.locator('[data-test="reply"]').click();
  await byTest(author, "comment-text").fill("工作日不用等。");
  await byTest(author, "comment-text").press("Enter");
  const mine = byTest(author, "comment").filter({ hasText: "工作日不用等" });
  await mine.locator('[data-test="author-mark"]').waitFor();

  await reader.reload();
  await reader.getByRole("heading", { name: "评论 2" }).waitFor();
  const answer = byTest(reader, "comment").filter({ hasText: "工作日不用等" });
  await answer.locator('[data-test="report"]').click();
  await reader.getByText("其他问题").click();
  await reader.getByText("已收到举报").waitFor();
}

/** One notice for the like, one for the comment, and each leads to the note. */
async function readNotices(page) {
  const note = page.url();
  await page.goto("/notices");
  await byTest(page, "notice").filter({ hasText: "评论了你的笔记" }).filter({ hasText: "看饿了，人多吗？" }).waitFor();
  await byTest(page, "notice").filter({ hasText: "喜欢你的笔记" }).click();
  await page.waitForURL(note);
  await page.goto("/me/settings");
  const likes = byTest(page, "notice-likes");
  const stored = page.waitForResponse((response) => response.url().endsWith("/api/notices/settings") && response.request().method() === "PUT");
  await likes.click();
  await stored;
  await page.reload();
  await likes.waitFor();
  assert.equal(await likes.isChecked(), false);
  await page.goto(note);
}

/** Two tabs change the same text: the second is told, keeps what it wrote, and decides. */
async function change({ context, page }) {
  const second = await context.newPage();
  await byTest(page, "edit-note").click();
  await page.waitForURL(/\/edit$/);
  await second.goto(page.url());
  await byTest(second, "note-text").fill("后写的。");
  await byTest(page, "note-title").fill(CHANGED);
  await byTest(page, "note-text").fill("先写的。");
  await byTest(page, "save-note").click();
  await page.waitForURL(/\/note\/\d+$/);
  await byTest(page, "note-title").filter({ hasText: CHANGED }).waitFor();
  await page.getByText(/编辑于/).waitFor();
  await byTest(second, "save-note").click();
  await byTest(second, "note-changed").waitFor();
  assert.equal(await byTest(second, "note-text").inputValue(), "后写的。");
  await page.reload();
  await page.getByText("先写的。").waitFor();
  await byTest(second, "overwrite").click();
  await second.getByRole("dialog").getByRole("button", { name: "用我的内容覆盖" }).click();
  await second.waitForURL(/\/note\/\d+$/);
  await second.close();
  await page.reload();
  await page.getByText("后写的。").waitFor();
  await assertBarInSight(page);
}

/** Wherever the page is scrolled to, and nothing of it is hidden behind the bar at its end. */
async function assertBarInSight(page) {
  for (const top of [0, 1e6]) {
    await page.evaluate((y) => scrollTo(0, y), top);
    const bar = await byTest(page, "comment-text").boundingBox();
    const { height } = page.viewportSize();
    assert.ok(bar !== null && bar.y > 0 && bar.y + bar.height <= height, `the bar at ${JSON.stringify(bar)} of ${height}`);
  }
  const last = await byTest(page, "comment").last().boundingBox();
  const bar = await byTest(page, "comment-text").boundingBox();
  assert.ok(last.y + last.height <= bar.y, "the last comment is above the bar");
}

async function remove(page) {
  await byTest(page, "delete-note").click();
  await page.getByRole("dialog").getByRole("button", { name: "确认" }).click();
  await page.waitForURL(/\/user\/\d+$/);
  await page.getByText("还没有写过笔记").waitFor();
}
