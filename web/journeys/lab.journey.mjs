// The versions of the flash sale: the schedule that broke a version is played beside its code, in both languages.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch, openContext, openPage, VIEWPORTS } from "./browser.mjs";

let browser;
before(async () => {
  browser = await launch();
});
after(() => browser?.close());

for (const [size, locale, words] of [
  [
    "phone",
    "zh-CN",
    {
      title: "秒杀实验室",
      fold: "播放时序，对照代码",
      act: "SIGSTOP：进程暂停",
      attacks: "每种攻击做了什么",
      pause: "好比一次 GC",
      limits: "限流",
      code: "代码",
      stale: "出错的时序：缓存里没有",
      stored: "把读到的值写入缓存",
      next: "前进一步",
      previous: "后退一步",
      slider: "时序的步骤",
      attack: "攻击",
      oversold: "超卖：订单比库存多。",
      begin: "秒杀开始，后面共有 5 步。",
      second: "第 2 步，共 5 步：B（进程 1）读到了库存。",
      stores: "数据库",
      course: "写给学过这门课的人",
      courseTitle: "你写的是什么，我们换成了什么",
      chapter: "缓存穿透",
      own: "自己来一场抢购",
    },
  ],
  [
    "desktop",
    "en",
    {
      title: "Flash sale lab",
      fold: "Play the schedules beside the code",
      act: "SIGSTOP: the process is paused",
      attacks: "What each attack does",
      pause: "a garbage collection",
      limits: "Rate limits",
      code: "Code",
      stale: "The schedule that went wrong: The cache is empty",
      stored: "stores what it read in the cache",
      next: "Step forward",
      previous: "Step back",
      slider: "Step in the schedule",
      attack: "Attack",
      oversold: "Oversold: there are more orders than units.",
      begin: "The sale starts. 5 steps follow.",
      second: "Step 2 of 5: B (process 1) has read the stock.",
      stores: "SQL",
      course: "Took the course?",
      courseTitle: "What you built, and what we did instead",
      chapter: "Penetration",
      own: "Send your own crowd",
    },
  ],
]) {
  test(`on a ${size}, in ${locale}, a version leads from the table to the schedule that broke it and to its code`, async (t) => {
    const context = await openContext(browser, { ...VIEWPORTS[size], locale });
    t.after(() => context.close());
    const { page, problems } = await openPage(context);
    await page.goto("/lab");
    await page.getByRole("heading", { level: 1, name: words.title }).waitFor();

    await page.getByRole("table").getByRole("link", { name: /SET NX/ }).click();
    const version = page.locator("#set-nx");
    await version.getByText(words.fold).click();
    await version.getByText(words.act).first().waitFor();
    await version.getByText("impl Version for SetNx").waitFor();
    assert.deepEqual(problems, []);
  });

  test(`on a ${size}, in ${locale}, the attacks are explained, and an experiment leads to the code of its ways`, async (t) => {
    const context = await openContext(browser, { ...VIEWPORTS[size], locale });
    t.after(() => context.close());
    const { page, problems } = await openPage(context);
    await page.goto("/lab");
    await page.getByText(words.attacks).click();
    await page.getByText(words.pause).waitFor();

    await page.getByRole("navigation").getByRole("link", { name: words.limits }).click();
    const limits = page.locator("#limits");
    await limits.getByText("✗ 19 / 10").first().waitFor();
    await limits.getByText(words.code, { exact: true }).last().click();
    await limits.getByText("impl Limiter for Gcra").waitFor();

    const writes = page.locator("#double-writes");
    await writes.getByText(words.stale).first().click();
    await writes.getByText(words.stored).first().waitFor();
    assert.deepEqual(problems, []);
  });

  test(`on a ${size}, in ${locale}, a schedule is played forwards and backwards, and shows what SQL holds and where the harm is`, async (t) => {
    const context = await openContext(browser, { ...VIEWPORTS[size], locale, reducedMotion: "reduce" });
    t.after(() => context.close());
    const { page, problems } = await openPage(context);
    await page.goto("/lab?play=no-lock&attack=race");
    const version = page.locator("#no-lock");
    const status = version.getByRole("status").filter({ hasText: words.begin });
    await status.waitFor();

    await version.getByRole("button", { name: words.next }).click();
    await version.getByRole("button", { name: words.next }).click();
    await version.getByText(words.second).waitFor();
    // Both have read one unit, and both stand at the same line of the code.
    assert.equal(await version.getByText("SELECT stock", { exact: true }).count(), 2);
    assert.match(await version.locator(".line.acting").innerText(), /steps\.step\("stock is read"\)/);

    const slider = version.getByRole("slider", { name: words.slider });
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await version.getByText(words.oversold).first().waitFor();
    const sql = version.getByRole("table", { name: words.stores });
    assert.match(await sql.innerText(), /order #2\s+B/);
    assert.match(await sql.innerText(), /0\s*→\s*-1/);

    // Arrow keys work from the buttons, too; back again, the second order is not there.
    await version.getByRole("button", { name: words.previous }).press("ArrowLeft");
    await sql.getByText("order #2").waitFor({ state: "detached" });
    await page.keyboard.press("Home");
    await status.waitFor();

    // The harmless ones can be played as well, and a crowd can be started or its command be read.
    await version.getByLabel(words.attack, { exact: true }).selectOption("kill");
    await version.locator(".steps").getByText("kill -9").waitFor();
    await version.getByText(words.own).waitFor();
    await version.getByText("--buyers 500").waitFor();
    assert.deepEqual(problems, []);
  });

  test(`on a ${size}, in ${locale}, the course page leads from a chapter to the lab`, async (t) => {
    const context = await openContext(browser, { ...VIEWPORTS[size], locale });
    t.after(() => context.close());
    const { page, problems } = await openPage(context);
    await page.goto("/lab");
    await page.getByRole("link", { name: words.course }).click();
    await page.getByRole("heading", { level: 1, name: words.courseTitle }).waitFor();
    await page.getByRole("heading", { level: 3, name: words.chapter }).waitFor();
    await page.locator("#chapter-redis-lock").getByRole("link", { name: "set-nx" }).click();
    await page.getByRole("heading", { level: 1, name: words.title }).waitFor();
    await page.locator("#set-nx").waitFor();
    assert.deepEqual(problems, []);
  });
}
