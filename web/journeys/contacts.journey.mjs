// The phone number and the address of an account: binding the address, changing the number, signing in by the new one; and the
// question about a number that was not used for long. On a site of its own, which sends one person several codes in a minute.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, signIn, VIEWPORTS } from "./browser.mjs";
import { openOwnSite } from "./ownSite.mjs";

let browser;
let site;
before(async () => {
  [browser, site] = await Promise.all([launch(), openOwnSite({ TANDIAN_CODE__RESEND_SECS: "1" })]);
});
after(() => Promise.all([browser?.close(), site?.close()]));

/** How long a code takes to arrive before another one is asked for. */
const CODE_MS = 3_000;

/** Gets a code and fills it in; a contact that was sent one a moment ago is asked for again. */
async function proveBy(form) {
  const fill = byTest(form, "fill-code");
  let isThere = false;
  while (!isThere) {
    // Waits until the site would send one.
    await byTest(form, "send-code").click();
    isThere = await fill.waitFor({ timeout: CODE_MS }).then(
      () => true,
      () => false,
    );
  }
  await fill.click();
}

const WORDS = {
  "zh-CN": { none: "未绑定", bound: "已绑定邮箱", changed: "已更换手机号", first: "第 1 步", second: "第 2 步" },
  "en-US": { none: "Not added", bound: "Your email is added", changed: "Your phone number is changed", first: "Step 1", second: "Step 2" },
};

for (const [locale, words] of Object.entries(WORDS)) {
  const size = locale === "zh-CN" ? VIEWPORTS.small : VIEWPORTS.desktop;
  test(`a person binds an address, changes the number and signs in by the new one (${locale})`, async (t) => {
    const context = await openContext(browser, { ...size, baseURL: site.url, locale });
    t.after(() => context.close());
    const { page, problems } = await openPage(context);
    const [phone, newPhone] = [freshPhone(), freshPhone()];
    const email = `ann${phone}@example.com`;
    await page.goto("/sign-in?next=/me/settings");
    await signIn(page, phone);
    await byTest(page, "contact-email").getByText(words.none).waitFor();
    assert.equal(await byTest(page, "remove-phone").count(), 0);

    const form = byTest(page, "contact-form");
    await byTest(page, "set-email").click();
    await form.getByText(words.first).waitFor();
    await proveBy(form);
    await byTest(page, "contact-next").click();
    await form.getByText(words.second).waitFor();
    await byTest(form, "contact").fill(email);
    await proveBy(form);
    await byTest(page, "contact-next").click();
    await page.getByText(words.bound).waitFor();
    await byTest(page, "contact-email").getByText("a***@example.com").waitFor();

    await byTest(page, "set-phone").click();
    await proveBy(form);
    await form.getByText("a***@example.com").last().waitFor();
    await byTest(page, "contact-next").click();
    await form.getByText(words.second).waitFor();
    await byTest(form, "contact").fill(newPhone);
    await proveBy(form);
    await byTest(page, "contact-next").click();
    await page.getByText(words.changed).waitFor();
    await byTest(page, "contact-phone").getByText(`${newPhone.slice(0, 3)}****${newPhone.slice(7)}`).waitFor();
    const id = (await (await context.request.get("/api/user/me")).json()).data.id;

    await context.clearCookies();
    await page.goto("/sign-in?next=/me/settings");
    await byTest(page, "contact").fill(newPhone);
    await proveBy(page);
    await byTest(page, "submit").click();
    await byTest(page, "contact-email").getByText("a***@example.com").waitFor();
    assert.equal((await (await context.request.get("/api/user/me")).json()).data.id, id);
    assert.deepEqual(problems, []);
  });
}

test("who proves a number that was not used for long is asked whose the account is", async (t) => {
  const context = await openContext(browser, { ...VIEWPORTS.small, baseURL: site.url });
  t.after(() => context.close());
  const { page, problems } = await openPage(context);
  const phone = freshPhone();
  // No site is old enough for it.
  await page.route("**/api/user/login", (route) => {
    const { claim } = route.request().postDataJSON();
    if (claim !== undefined) return route.continue();
    const data = { ticket: "0".repeat(40), nickName: "小*", proofs: ["email"] };
    return route.fulfill({ json: { success: false, code: "number_in_question", errorMsg: "请确认", data } });
  });
  await page.goto("/sign-in");
  await byTest(page, "contact").fill(phone);
  await proveBy(page);
  await byTest(page, "submit").click();
  const question = byTest(page, "number-question");
  await question.getByText("这个账号是你的吗？").waitFor();
  await question.getByText("小*").waitFor();
  await byTest(page, "fresh").click();
  await page.getByRole("dialog").getByRole("button", { name: "新建账号" }).click();
  await question.getByText("确认已超时").waitFor();
  await byTest(page, "question-back").click();
  await byTest(page, "send-code").waitFor();
  assert.deepEqual(problems, []);
});
