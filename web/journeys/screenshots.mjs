// Takes every page in three widths, light and dark, into screenshots/ (not committed), to be looked at.
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { askForCode, byTest, freshPhone, launch, openContext, openPage, VIEWPORTS } from "./browser.mjs";

const folder = fileURLToPath(new URL("../screenshots/", import.meta.url));
const WIDTHS = { "phone-390": VIEWPORTS.phone, "small-320": VIEWPORTS.small, "desktop-1440": VIEWPORTS.wide };

await mkdir(folder, { recursive: true });
const browser = await launch();
try {
  for (const [width, size] of Object.entries(WIDTHS)) {
    for (const colorScheme of ["light", "dark"]) await takeAll(size, colorScheme, `${width}-${colorScheme}`);
  }
} finally {
  await browser.close();
}

async function takeAll(size, colorScheme, suffix) {
  const context = await openContext(browser, { ...size, colorScheme, reducedMotion: "reduce" });
  const { page } = await openPage(context);
  const take = (name) => page.screenshot({ path: `${folder}${name}-${suffix}.png`, fullPage: true });

  await page.goto("/");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.waitForLoadState("networkidle");
  await take("home");
  await page.goto("/no/such/page");
  await page.getByRole("heading", { level: 1 }).waitFor();
  await take("not-found");

  const phone = freshPhone();
  await page.goto("/sign-in?next=/me");
  await take("sign-in");
  await askForCode(page, phone);
  await byTest(page, "code").fill("1");
  await byTest(page, "submit").click();
  await take("sign-in-code");
  await byTest(page, "fill-code").click();
  await byTest(page, "submit").click();
  await byTest(page, "session").first().waitFor();
  await take("profile-new");

  await byTest(page, "edit").click();
  await byTest(page, "nick-name").fill("爱吃面的小满");
  await byTest(page, "city").fill("杭州");
  await byTest(page, "introduce").fill("周末在西湖边找好吃的，喜欢片儿川和手冲咖啡。");
  await page.getByText("女", { exact: true }).click();
  await take("edit");
  await byTest(page, "save").click();
  await byTest(page, "nick").filter({ hasText: "爱吃面的小满" }).waitFor();
  await page.reload();
  await byTest(page, "session").first().waitFor();
  await take("profile");
  await byTest(page, "sign-out").click();
  await page.getByRole("dialog").waitFor();
  await take("sign-out");
  await context.close();
}
