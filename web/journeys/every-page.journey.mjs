// Every page, in both themes, on phone and desktop: axe finds nothing that keeps people out, nothing sticks out sideways
// at any width, and every page names itself.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { BASE_URL, freshPhone, launch, openContext, openPage, settled, VIEWPORTS } from "./browser.mjs";
import { signedInPages, VISITOR_PAGES } from "./pages.mjs";

const AXE = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
/** What a person cannot work around. */
const GRAVE = new Set(["serious", "critical"]);
/** Those that tell one theme from another. */
const COLOUR_RULES = { type: "rule", values: ["color-contrast", "link-in-text-block"] };
const LOOKS = [
  { size: "phone", widths: [390, 320] },
  { size: "desktop", widths: [1280, 1440, 768] },
];

let browser;
let person;
let pages;

before(async () => {
  browser = await launch();
  ({ person, pages } = await signedInPages(browser, freshPhone()));
});
after(() => browser?.close());

test("every route of the router is among the tested pages", async () => {
  const table = await readFile(new URL("../src/router.ts", import.meta.url), "utf8");
  const routes = table.split(/(?=path: ")/).slice(1);
  const shown = routes.filter((route) => !route.includes("redirect:") && !route.includes("(.*)"));
  const patterns = shown.map((route) => /path: "([^"]+)"/.exec(route)[1]);
  const visited = [...VISITOR_PAGES, ...pages].map(({ path }) => new URL(path, BASE_URL).pathname);
  const missing = patterns.filter((pattern) => {
    const whole = new RegExp(`^${pattern.replaceAll(/:\w+(\([^)]*\))?/g, "[^/]+")}$`);
    return !visited.some((path) => whole.test(path));
  });
  assert.ok(patterns.length > 0);
  assert.deepEqual(missing, []);
});

for (const { size, widths } of LOOKS) {
  test(`every page can be used by everybody, on a ${size} in both themes`, async (t) => {
    const look = { ...VIEWPORTS[size], reducedMotion: "reduce" };
    // The page may run no script but ours, so axe comes by the browser's own door.
    const visitor = await openContext(browser, { ...look, bypassCSP: true });
    const signedIn = await openContext(browser, { ...look, bypassCSP: true, storageState: person });
    t.after(() => Promise.all([visitor.close(), signedIn.close()]));
    const found = [...(await lookAt(visitor, VISITOR_PAGES, widths)), ...(await lookAt(signedIn, pages, widths))];
    assert.deepEqual(found, []);
  });
}

async function lookAt(context, list, widths) {
  const { page, problems } = await openPage(context);
  const { height } = page.viewportSize();
  const found = [];
  for (const { name, path } of list) {
    await page.setViewportSize({ width: widths[0], height });
    await page.goto(path);
    await settled(page).catch((cause) => assert.fail(`${name} at ${path} is not ready: ${cause.message}`));
    const findings = [...(await namelessness(page)), ...(await graveFindings(page)), ...(await misfits(page, widths, height))];
    found.push(...findings.map((finding) => `${name}: ${finding}`));
  }
  return [...found, ...problems];
}

/** The heading and the document's title name the page. */
async function namelessness(page) {
  const headings = await page.getByRole("heading", { level: 1 }).count();
  const title = await page.title();
  return [
    ...(headings === 1 ? [] : [`${headings} first headings`]),
    ...(/^.+ · .+$/.test(title) ? [] : [`titled "${title}"`]),
  ];
}

/** Nothing may stick out sideways. */
async function misfits(page, widths, height) {
  const found = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height });
    const content = await page.evaluate(() => document.documentElement.scrollWidth);
    if (content > width) found.push(`${content} px wide in a view of ${width} px`);
  }
  return found;
}

/** The second theme is put on as a device does at dusk; all that it changes is colours. */
async function graveFindings(page) {
  await page.evaluate(AXE);
  return [...(await violations(page, "light", {})), ...(await violations(page, "dark", { runOnly: COLOUR_RULES }))];
}

/**
 * Runs in the page: colours that change do so within a moment, and are neither one nor the other until then. A colour that
 * is inherited begins to change when the one above it has.
 */
async function settleColours() {
  for (let depth = 0; depth < 20; depth++) {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    const changes = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
    if (changes.length === 0) return;
    await Promise.all(changes.map((change) => change.finished.catch(() => undefined)));
  }
  throw new Error("the colours of the page do not come to rest");
}

async function violations(page, colorScheme, options) {
  await page.emulateMedia({ colorScheme });
  await page.waitForFunction((dark) => document.documentElement.classList.contains("dark") === dark, colorScheme === "dark");
  await page.evaluate(settleColours);
  const found = await page.evaluate((options) => window.axe.run(document, { resultTypes: ["violations"], ...options }), options);
  return found.violations
    .filter(({ impact }) => GRAVE.has(impact))
    .map(({ id, nodes }) => `${id} at ${nodes.map(({ target }) => target.join(" ")).join(", ")} (${colorScheme})`);
}
