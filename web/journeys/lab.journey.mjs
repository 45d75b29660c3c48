// The versions of the flash sale: what broke a version is found beside its code, in both languages.
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
    { title: "秒杀实验室", fold: "看时序和代码", act: "SIGSTOP：进程暂停", attacks: "每种攻击做了什么", pause: "好比一次 GC", limits: "限流", code: "代码", stale: "出错的时序：缓存里没有", stored: "把读到的值写入缓存" },
  ],
  [
    "desktop",
    "en",
    {
      title: "The flash-sale lab",
      fold: "Schedules and code",
      act: "SIGSTOP: the process is paused",
      attacks: "What each attack does",
      pause: "a garbage collection",
      limits: "Rate limits",
      code: "Code",
      stale: "The schedule that went wrong: The cache is empty",
      stored: "stores what it read in the cache",
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
}
