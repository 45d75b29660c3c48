// A real Chromium for journeys and screenshots. Invariant: whatever a page reports as an error (an exception,
// a console error, a policy violation, a failed request) is collected, so that a journey can end by asserting there was none.
import { chromium } from "playwright-core";

export const BASE_URL = process.env.BASE_URL ?? "http://127.0.0.1:8080";

/** Every wait for something to appear is bounded by this. */
export const WAIT_MS = 15_000;

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const VIEWPORTS = {
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  small: { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  desktop: { viewport: { width: 1280, height: 900 } },
  wide: { viewport: { width: 1440, height: 900 } },
};

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });
}

/** A fresh person in a fresh browser: no cookies, no remembered choices, and no service worker between page and site. */
export async function openContext(browser, options) {
  const context = await browser.newContext({ baseURL: BASE_URL, locale: "zh-CN", serviceWorkers: "block", ...options });
  context.setDefaultTimeout(WAIT_MS);
  return context;
}

/** A page together with the list of everything that went wrong on it. */
export async function openPage(context) {
  const page = await context.newPage();
  pendingRequests.set(page, trackRequests(page));
  const problems = [];
  page.on("pageerror", (error) => problems.push(`exception: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !isExpected(message)) problems.push(`console: ${message.text()} (${message.location().url})`);
  });
  page.on("response", (response) => {
    if (response.status() >= 500) problems.push(`${response.status()} from ${response.url()}`);
  });
  return { page, problems };
}

const pendingRequests = new WeakMap();

/** The requests of a page that wait for their reply; that of an event stream is there once the stream opens. */
function trackRequests(page) {
  const pending = new Set();
  page.on("request", (request) => pending.add(request));
  page.on("requestfinished", (request) => pending.delete(request));
  page.on("requestfailed", (request) => pending.delete(request));
  page.on("response", (response) => {
    if (response.request().resourceType() === "eventsource") pending.delete(response.request());
  });
  return pending;
}

/** Long enough for a reply to lead to the next request. */
const LULL_MS = 500;

/** Everything that the page asks for by itself has been answered. */
export async function answered(page) {
  const pending = pendingRequests.get(page);
  const giveUpAt = Date.now() + WAIT_MS;
  let lull = 0;
  while (lull < LULL_MS) {
    if (Date.now() > giveUpAt) throw new Error(`still waiting for ${[...pending].map((request) => request.url()).join(", ")}`);
    await page.waitForTimeout(50);
    lull = pending.size === 0 ? lull + 50 : 0;
  }
}

/** An address of no page, whose status is 404. */
export const NO_SUCH_PAGE = "/no/such/page";

/** Chromium logs every 4xx as an error. Loading the session gets 401 for visitors, and an unknown address 404. */
function isExpected(message) {
  const { pathname } = new URL(message.location().url, BASE_URL);
  if (pathname === NO_SUCH_PAGE) return message.text().includes("404");
  return pathname === "/api/user/me" && message.text().includes("401");
}

/** Codes are limited per number, so every journey is a person of its own. */
export function freshPhone() {
  const tail = String(Math.floor(Math.random() * 1e8)).padStart(8, "0");
  return `139${tail}`;
}

/** Everything has loaded: no skeleton is left, and no visible picture is half loaded. */
export async function settled(page) {
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  await page.waitForFunction(() => {
    const inSight = (image) => {
      const { top, left, bottom, right } = image.getBoundingClientRect();
      return image.checkVisibility() && top < innerHeight && left < innerWidth && bottom > 0 && right > 0;
    };
    const pending = [...document.images].filter((image) => inSight(image) && !image.complete);
    return document.querySelector("[aria-busy=true]") === null && pending.length === 0;
  });
  // A picture that is there may still be waiting for its turn to be decoded.
  await page.evaluate(() => {
    const loaded = [...document.images].filter((image) => image.complete && image.naturalWidth > 0);
    return Promise.all(loaded.map((image) => image.decode().catch(() => undefined)));
  });
}

export const byTest = (page, name) => page.locator(`[data-test="${name}"]`);

/** Requests a code for the number and returns the code the demo site shows. */
export async function askForCode(page, phone) {
  await byTest(page, "contact").fill(phone);
  await byTest(page, "send-code").click();
  return byTest(page, "demo-code").locator("strong").innerText();
}

export async function signIn(page, phone) {
  await askForCode(page, phone);
  await byTest(page, "fill-code").click();
  await byTest(page, "submit").click();
  await page.waitForURL((url) => url.pathname !== "/sign-in");
}
