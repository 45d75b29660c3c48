// Every page, in both themes and both sizes, looked at by axe: nothing that keeps people out.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { freshPhone, launch, openContext, openPage, settled, signIn, VIEWPORTS } from "./browser.mjs";
import { pagesOf, VISITOR_PAGES } from "./pages.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** What a person cannot work around. */
const GRAVE = new Set(["serious", "critical"]);
const LOOKS = [
  { size: "phone", colorScheme: "light" },
  { size: "desktop", colorScheme: "dark" },
];

let browser;
let person;
let pages;

before(async () => {
  browser = await launch();
  const context = await openContext(browser, VIEWPORTS.phone);
  const { page } = await openPage(context);
  await page.goto("/sign-in?next=/me");
  await signIn(page, freshPhone());
  pages = await pagesOf(context);
  person = await context.storageState();
  await context.close();
});
after(() => browser?.close());

for (const { size, colorScheme } of LOOKS) {
  test(`every page can be used by everybody, on a ${size} in the ${colorScheme} theme`, async (t) => {
    const look = { ...VIEWPORTS[size], colorScheme, reducedMotion: "reduce" };
    // The page may run no script but ours, so axe comes by the browser's own door.
    const visitor = await openContext(browser, { ...look, bypassCSP: true });
    const signedIn = await openContext(browser, { ...look, bypassCSP: true, storageState: person });
    t.after(() => Promise.all([visitor.close(), signedIn.close()]));
    const found = [...(await lookAt(visitor, VISITOR_PAGES)), ...(await lookAt(signedIn, pages))];
    assert.deepEqual(found, []);
  });
}

async function lookAt(context, list) {
  const { page, problems } = await openPage(context);
  const found = [];
  for (const { name, path } of list) {
    await page.goto(path);
    await settled(page).catch((cause) => assert.fail(`${name} at ${path} is not ready: ${cause.message}`));
    found.push(...(await graveFindings(page)).map((finding) => `${name}: ${finding}`));
  }
  return [...found, ...problems];
}

async function graveFindings(page) {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
  return violations
    .filter(({ impact }) => GRAVE.has(impact))
    .map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
}
