// Takes the pictures of the README, small, into docs/images.
import { mkdir } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { launch, openContext, openPage, settled, VIEWPORTS } from "./browser.mjs";
import { DEMO_VISITOR, signedInPages } from "./pages.mjs";

const folder = fileURLToPath(new URL("../../docs/images/", import.meta.url));
/** A README shows them at about half their size: sharp enough, and together well below a megabyte and a half. */
const PHONE = { ...VIEWPORTS.phone, deviceScaleFactor: 1.5 };
const DESKTOP = { viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1 };
const QUALITY = 80;

const PICTURES = [
  { page: "home", look: PHONE, theme: "light" },
  { page: "shop", look: PHONE, theme: "light" },
  { page: "sale", look: PHONE, theme: "light" },
  { page: "order", look: PHONE, theme: "light" },
  { page: "note", look: PHONE, theme: "light" },
  { page: "feed", look: PHONE, theme: "light" },
  { page: "map", look: PHONE, theme: "dark" },
  { page: "shops", look: PHONE, theme: "dark" },
  { page: "check-ins", look: PHONE, theme: "dark" },
  { page: "me", look: PHONE, theme: "dark" },
  { page: "home", look: DESKTOP, theme: "light" },
  { page: "shop", look: DESKTOP, theme: "dark" },
];

await mkdir(folder, { recursive: true });
const browser = await launch();
try {
  const { person, pages } = await signedInPages(browser, DEMO_VISITOR);
  for (const picture of PICTURES) await take(picture, person, pages);
} finally {
  await browser.close();
}

async function take({ page: name, look, theme }, person, pages) {
  const options = { ...look, colorScheme: theme, reducedMotion: "reduce", storageState: person };
  const context = await openContext(browser, options);
  const { page } = await openPage(context);
  await page.goto(pages.find((candidate) => candidate.name === name).path);
  await settled(page);
  const file = `${name}-${look === PHONE ? "phone" : "desktop"}.jpg`;
  await page.screenshot({ path: folder + file, type: "jpeg", quality: QUALITY });
  await context.close();
}
