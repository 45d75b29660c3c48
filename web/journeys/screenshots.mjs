// Takes every page in both sizes, light and dark, into screenshots/ (not committed), to be looked at one by one.
// With names as arguments, only those pages.
import { mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch, openContext, openPage, settled, VIEWPORTS } from "./browser.mjs";
import { DEMO_VISITOR, signedInPages, STATES, VISITOR_PAGES } from "./pages.mjs";

const folder = fileURLToPath(new URL("../screenshots/", import.meta.url));
const SIZES = { phone: VIEWPORTS.phone, desktop: VIEWPORTS.desktop };
/** Lists have no end: below this nothing new is to be seen. */
const TALLEST_PX = 2400;

const wanted = new Set(process.argv.slice(2));
await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
const browser = await launch();
try {
  const { person, pages } = await signedInPages(browser, DEMO_VISITOR);
  pages.push(...STATES);
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const look = { ...viewport, colorScheme, reducedMotion: "reduce" };
      await takeAll(look, VISITOR_PAGES, `${size}-${colorScheme}`);
      await takeAll({ ...look, storageState: person }, pages, `${size}-${colorScheme}`);
    }
  }
} finally {
  await browser.close();
}

async function takeAll(look, pages, suffix) {
  const context = await openContext(browser, look);
  const { page, problems } = await openPage(context);
  for (const { name, path, act } of pages.filter((page) => wanted.size === 0 || wanted.has(page.name))) {
    await page.setViewportSize(look.viewport);
    await page.goto(path);
    await settled(page);
    await act?.(page);
    if (act === undefined) await unroll(page, look.viewport);
    await page.screenshot({ path: `${folder}${name}-${suffix}.png` });
  }
  if (problems.length > 0) console.error(`${suffix}: ${problems.join("\n  ")}`);
  await context.close();
}

/** The view grows to the page's own height: a picture of the whole would have the bars in its middle. */
async function unroll(page, { width, height }) {
  const content = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.min(Math.max(content, height), TALLEST_PX) });
  await settled(page);
}
