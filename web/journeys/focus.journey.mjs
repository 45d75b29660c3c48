// With the Tab key through every page, on phone and desktop: each stop shows a ring that stands out from what is around
// it in both themes, is not cut off, lies under no bar, and leaves with the focus.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { freshPhone, launch, openContext, openPage, settled, VIEWPORTS } from "./browser.mjs";
import { signedInPages, STATES, VISITOR_PAGES } from "./pages.mjs";

/** Lists have no end: after so many stops in a row of kinds that were looked at, what follows is more of the same. */
const KNOWN_STOPS_MAX = 6;

let browser;
let person;
let pages;

before(async () => {
  browser = await launch();
  ({ person, pages } = await signedInPages(browser, freshPhone()));
});
after(() => browser?.close());

for (const size of ["phone", "desktop"]) {
  test(`the focus is seen at every stop of the Tab key, on a ${size}`, async (t) => {
    // Not with reduced motion, where every change of a colour is a very short transition: here rings have none.
    const look = VIEWPORTS[size];
    const visitor = await openContext(browser, look);
    const signedIn = await openContext(browser, { ...look, storageState: person });
    t.after(() => Promise.all([visitor.close(), signedIn.close()]));
    const found = [...(await tabThrough(visitor, VISITOR_PAGES)), ...(await tabThrough(signedIn, [...pages, ...STATES]))];
    assert.deepEqual(found, []);
  });
}

async function tabThrough(context, list) {
  const { page, problems } = await openPage(context);
  await page.addInitScript(installRingFinder);
  const found = new Set();
  for (const [at, { name, path, act }] of list.entries()) {
    await page.goto(path);
    await settled(page);
    // The bar on top is the same on every page.
    if (at > 0) await page.locator("main").evaluate((main) => main.focus({ preventScroll: true }));
    await act?.(page);
    const stops = await tabOnce(page, (finding) => found.add(`${name}: ${finding}`));
    assert.ok(stops > 0, `${name} has no stop`);
  }
  return [...found, ...problems];
}

/** How many stops there were until the focus left the page, came round, or met only known kinds. */
async function tabOnce(page, report) {
  let left = false;
  for (let stops = 0, known = 0; ; stops++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => window.lookAtFocus());
    // From the end of a dialog the first press leaves the page, and the next comes back.
    if (stop === null && stops === 0 && !left) {
      left = true;
      stops--;
      continue;
    }
    if (stop === null || known === KNOWN_STOPS_MAX) return stops;
    for (const finding of stop.findings) report(finding);
    known = stop.known ? known + 1 : 0;
  }
}

/** Runs in the page: defines `lookAtFocus`, which says what is wrong with the ring of the element in focus. */
function installRingFinder() {
  const CONTRAST_MIN = 3;
  const WIDTH_MIN = 2;
  /** A ring may be that of a frame or label around the control. */
  const LEVELS = 3;
  const THEMES = ["light", "dark"];
  const seen = new WeakSet();
  const kinds = new Set();
  let last = null;

  window.lookAtFocus = () => {
    const element = document.activeElement;
    if (element === null || element === document.body || seen.has(element)) return null;
    seen.add(element);
    const findings = [];
    if (last !== null && last.ringed.isConnected && !last.ringed.contains(element) && ringsOf(last.ringed).length > 0) {
      findings.push(`${last.label} keeps its ring`);
    }
    const label = nameOf(element);
    const known = kinds.has(label);
    kinds.add(label);
    const ringed = ringedOf(element);
    last = ringed === null ? null : { ringed, label };
    if (ringed === null) findings.push(`${label} has no ring`);
    else {
      const faint = known ? [] : THEMES.filter((theme) => !inTheme(theme, () => standsOut(ringed)));
      findings.push(...faint.map((theme) => `${label} has a faint ring in the ${theme} theme`));
      if (isCutOff(ringed)) findings.push(`${label} has a ring that is cut off`);
      if (isCovered(ringed, element)) findings.push(`${label} is under a bar`);
    }
    return { findings, known };
  };

  function nameOf(element) {
    const kind = element.className && typeof element.className === "string" ? `.${element.className.split(" ").join(".")}` : "";
    return `${element.tagName.toLowerCase()}${kind}${element.dataset.test ? ` (${element.dataset.test})` : ""}`;
  }

  function ringedOf(element) {
    for (let at = element, level = 0; at !== null && at !== document.body && level <= LEVELS; at = at.parentElement, level++) {
      if (ringsOf(at).length > 0) return at;
    }
    return null;
  }

  /** The rings drawn around an element: their colour, and how far from its border they begin and end. */
  function ringsOf(element) {
    const style = getComputedStyle(element);
    const rings = [];
    const width = parseFloat(style.outlineWidth);
    if (!["none", "hidden"].includes(style.outlineStyle) && width >= WIDTH_MIN) {
      const from = parseFloat(style.outlineOffset);
      rings.push({ color: style.outlineColor, from, to: from + width });
    }
    for (const shadow of style.boxShadow.split(/,(?![^(]*\))/)) {
      const [, color, rest] = /^\s*([a-z-]+\([^)]*\)|#\w+)\s+(.*)$/.exec(shadow) ?? [];
      const [x, y, blur, spread] = (rest ?? "").split(" ").map(parseFloat);
      if (x === 0 && y === 0 && blur === 0 && spread >= WIDTH_MIN) rings.push({ color, from: 0, to: spread });
    }
    return rings;
  }

  function inTheme(theme, look) {
    const { classList } = document.documentElement;
    const before = classList.contains("dark");
    classList.toggle("dark", theme === "dark");
    const outcome = look();
    classList.toggle("dark", before);
    return outcome;
  }

  /** Over a picture, which may have any colour, one of two rings has to be light and one dark. */
  function standsOut(element) {
    const rings = ringsOf(element);
    const outside = rings.some(({ from }) => from >= 0);
    const around = backgroundOf(outside ? element.parentElement : element);
    const grounds = around === null ? [[0, 0, 0], [255, 255, 255]] : [around];
    return grounds.every((ground) => rings.some(({ color }) => contrast(over(rgba(color), ground), ground) >= CONTRAST_MIN));
  }

  /** The colour behind, or null where a picture is. */
  function backgroundOf(element) {
    const layers = [];
    for (let at = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (at.matches("[data-test=crop-frame]") || [...at.children].some((child) => child.tagName === "IMG" && fills(child, at))) return null;
      const color = rgba(style.backgroundColor);
      if (color[3] > 0) layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reduceRight((under, color) => over(color, under), [255, 255, 255]);
  }

  function fills(image, parent) {
    const [inner, outer] = [image.getBoundingClientRect(), parent.getBoundingClientRect()];
    return inner.width >= outer.width - 4 && inner.height >= outer.height - 4;
  }

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  function rgba(color) {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  }

  function over([r, g, b, a], under) {
    return [r, g, b].map((part, at) => part * a + under[at] * (1 - a));
  }

  function contrast(one, other) {
    const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  function luminance(color) {
    const [r, g, b] = color.map((part) => (part / 255 <= 0.03928 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }

  /** By a box that hides what is outside of it, or by the edge of the window. The length of a tall thing does not matter. */
  function isCutOff(element) {
    const reach = Math.max(...ringsOf(element).map(({ to }) => to));
    const box = element.getBoundingClientRect();
    const ring = { top: box.top - reach, left: box.left - reach, bottom: box.bottom + reach, right: box.right + reach };
    const cutBy = (frame, sideways, upright) =>
      (sideways && (ring.left < frame.left - 1 || ring.right > frame.right + 1)) ||
      (upright && (ring.top < frame.top - 1 || ring.bottom > frame.bottom + 1));
    if (cutBy({ top: 0, left: 0, bottom: innerHeight, right: innerWidth }, true, box.height < innerHeight / 2)) return true;
    for (let at = element.parentElement; at !== null && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (cutBy(at.getBoundingClientRect(), overflowX !== "visible", overflowY !== "visible")) return true;
      if (getComputedStyle(at).position === "fixed" || at.tagName === "DIALOG") break;
    }
    return false;
  }

  /** By something that does not belong to it, at the middle of its top and of its bottom. */
  function isCovered(ringed, element) {
    const { left, right, top, bottom } = ringed.getBoundingClientRect();
    const ends = bottom - top < innerHeight / 2 ? [top + 2, bottom - 2] : [];
    return ends.some((y) => {
      const shown = document.elementFromPoint((left + right) / 2, y);
      const bar = shown?.closest("header, .tabbar, .notice, [data-bar]") ?? null;
      return bar !== null && !bar.contains(element);
    });
  }
}
