// A person's own data: downloading it, asking for the end of the account, and keeping it after all. On a site of its own,
// which sends one person several codes in a minute.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";
import { openOwnSite } from "./ownSite.mjs";

let browser;
let site;
before(async () => {
  [browser, site] = await Promise.all([launch(), openOwnSite({ TANDIAN_CODE__RESEND_SECS: "1" })]);
});
after(() => Promise.all([browser?.close(), site?.close()]));

test("a person downloads their data, asks for the deletion of the account, signs in again and keeps it", async (t) => {
  const context = await openContext(browser, { ...VIEWPORTS.phone, baseURL: site.url, acceptDownloads: true });
  t.after(() => context.close());
  const { page } = await openPage(context);
  const phone = freshPhone();
  await page.goto("/sign-in?next=/me/settings");
  await signIn(page, phone);
  await byTest(page, "personal-data").click();
  await page.waitForURL(/\/me\/data$/);

  const [download] = await Promise.all([page.waitForEvent("download"), byTest(page, "export").click()]);
  const data = JSON.parse(await readFile(await download.path(), "utf8"));
  assert.equal(data.tables.tb_user[0].phone, phone);

  await byTest(page, "delete-account").click();
  await byTest(page, "send-code").click();
  await byTest(page, "fill-code").click();
  await byTest(page, "confirm-deletion").click();
  await page.getByRole("dialog").getByRole("button", { name: "确认注销" }).click();
  await byTest(page, "deletion-requested").waitFor();

  await context.clearCookies();
  await page.goto("/sign-in?next=/me");
  // The site sends one person a code a second.
  await page.waitForTimeout(1_000);
  await signIn(page, phone);
  await page.waitForURL(/\/me\/data$/);
  await byTest(page, "keep-account").click();
  await byTest(page, "delete-account").waitFor();
  assert.equal(await byTest(page, "deletion-pending").count(), 0);
});

test("with an unpaid order the page says what to do first", async (t) => {
  const context = await openContext(browser, { ...VIEWPORTS.phone, baseURL: site.url });
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  await page.goto("/sign-in?next=/me/data");
  await signIn(page, freshPhone());
  await byTest(page, "delete-account").waitFor();
  const bought = await context.request.post("/api/voucher-order/9", { headers: { origin: site.url } });
  assert.ok((await bought.json()).success);
  await page.reload();
  await byTest(page, "obstacles").getByText("1 个待付款订单").waitFor();
  assert.equal(await byTest(page, "delete-account").count(), 0);
  await page.getByRole("link", { name: "查看我的订单" }).click();
  await page.waitForURL(/\/orders$/);
  assert.deepEqual(problems, []);
});
