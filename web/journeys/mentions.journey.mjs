// Mentions and topics: a person is chosen by keyboard and by tap, is told, and can be followed from the text; a topic leads to its notes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";

const TOPIC = "周末探店";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const size of ["phone", "desktop"]) {
  test(`on a ${size}, who is mentioned in a comment is a link and is told`, async (t) => {
    const friend = await enter(t, VIEWPORTS.phone);
    const { page, problems } = await enter(t, VIEWPORTS[size]);
    await page.goto(`/user/${friend.me.id}`);
    await byTest(page, "follow").click();
    await byTest(page, "follow").filter({ hasText: "已关注" }).waitFor();
    const { data: notes } = await (await page.request.get("/api/blog/hot")).json();

    await page.goto(`/note/${notes[0].id}`);
    const field = byTest(page, "comment-text");
    await field.fill("一起去吗 ");
    await field.pressSequentially("@");
    const choice = byTest(page, "choice").filter({ hasText: friend.me.nickName });
    await choice.waitFor();
    assert.equal(await field.getAttribute("aria-expanded"), "true");
    if (size === "phone") await choice.click();
    else await field.press("Enter");
    assert.equal(await field.inputValue(), `一起去吗 @${friend.me.nickName} `);
    await byTest(page, "send-comment").click();
    const mention = byTest(page, "comment").first().locator("[data-test=mention]");
    await mention.filter({ hasText: `@${friend.me.nickName}` }).waitFor();
    assert.equal(await mention.getAttribute("href"), `/user/${friend.me.id}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);

    await friend.page.goto("/notices");
    await byTest(friend.page, "notice").filter({ hasText: "提到了你" }).first().click();
    await friend.page.waitForURL(new RegExp(`/note/${notes[0].id}$`));
    assert.deepEqual([...problems, ...friend.problems], []);
  });
}

test("while a note is written a topic is offered, and its page lists the notes", async (t) => {
  const { page, problems } = await enter(t, VIEWPORTS.phone);
  await page.goto("/publish");
  const text = byTest(page, "note-text");
  await text.fill("笋片很嫩 ");
  await text.pressSequentially("#周末");
  await byTest(page, "choice").filter({ hasText: TOPIC }).waitFor();
  await text.press("ArrowDown");
  await text.press("Enter");
  assert.equal(await text.inputValue(), `笋片很嫩 #${TOPIC}# `);

  await page.goto(`/topic/${encodeURIComponent(TOPIC)}`);
  await byTest(page, "topic-count").waitFor();
  await byTest(page, "note-card").first().click();
  await byTest(page, "topic").first().click();
  await page.waitForURL(/\/topic\//);
  await byTest(page, "topic-name").filter({ hasText: TOPIC }).waitFor();
  await page.goto(`/topic/${encodeURIComponent("还没有人写过")}`);
  await page.getByText("这个话题还没有笔记").waitFor();
  await page.locator("main").getByRole("link", { name: "写一篇" }).click();
  await page.waitForURL(/\/publish/);
  assert.deepEqual(problems, []);
});

async function enter(t, size) {
  const context = await openContext(browser, size);
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await page.goto("/sign-in?next=/feed");
  await signIn(page, freshPhone());
  const { data: me } = await (await context.request.get("/api/user/me")).json();
  return { page, problems, me };
}
