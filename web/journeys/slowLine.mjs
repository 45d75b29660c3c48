// A page opened in a fresh browser on a slow line, counted: requests, bytes, and the moments that people feel.
import { openContext, openPage, settled, VIEWPORTS } from "./browser.mjs";

/** Lighthouse's "slow 4G". */
const LINE = { offline: false, latency: 150, downloadThroughput: (1.6e6 / 8) * 0.9, uploadThroughput: (750e3 / 8) * 0.9 };
/** Stays open, so it is none of the load. */
const STREAM = "EventSource";

/** Opens the path for the first time and, with `again`, for a second time; `slower` is the factor of the processor. */
export async function visitSlowly(browser, path, { slower = 1, again = false } = {}) {
  const context = await openContext(browser, { ...VIEWPORTS.phone, serviceWorkers: again ? "allow" : "block" });
  try {
    const { page } = await openPage(context);
    await page.addInitScript(watchPaints);
    const line = await context.newCDPSession(page);
    await line.send("Network.enable");
    await line.send("Network.emulateNetworkConditions", LINE);
    await line.send("Emulation.setCPUThrottlingRate", { rate: slower });
    const first = await measure(page, line, path);
    if (!again) return { first };
    await page.evaluate(() => navigator.serviceWorker?.ready.then(() => undefined));
    return { first, second: await measure(page, line, path) };
  } finally {
    await context.close();
  }
}

async function measure(page, line, path) {
  const requests = new Map();
  const onSent = ({ requestId, type, request }) => requests.set(requestId, { type, url: request.url, bytes: 0 });
  const onDone = ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) request.bytes = encodedDataLength;
  };
  line.on("Network.requestWillBeSent", onSent);
  line.on("Network.loadingFinished", onDone);
  await page.goto(path, { timeout: 60_000 });
  await settled(page);
  // What has begun is counted to its end.
  await page.waitForLoadState("networkidle");
  line.off("Network.requestWillBeSent", onSent);
  line.off("Network.loadingFinished", onDone);
  const paints = await page.evaluate(() => window.paints);
  const all = [...requests.values()].filter(({ type }) => type !== STREAM);
  const fetched = all.filter(({ bytes }) => bytes > 0);
  const sum = (list) => list.reduce((total, { bytes }) => total + bytes, 0);
  return {
    ...paints,
    urls: fetched.map(({ url }) => url.replace(/^https?:\/\/[^/]+/, "")),
    requests: fetched.length,
    bytes: sum(fetched),
    scriptBytes: sum(fetched.filter(({ type }) => type === "Script")),
    pictureBytes: sum(fetched.filter(({ type }) => type === "Image")),
  };
}

/** Runs in the page before anything of ours. */
function watchPaints() {
  window.paints = { fcpMs: 0, lcpMs: 0, lcpOf: "", cls: 0 };
  const watch = (type, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
  watch("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") window.paints.fcpMs = startTime;
  });
  watch("largest-contentful-paint", ({ startTime, url, element }) => {
    window.paints.lcpMs = startTime;
    window.paints.lcpOf = url || `${element?.localName}.${element?.className}`;
  });
  watch("layout-shift", ({ value, hadRecentInput }) => {
    if (!hadRecentInput) window.paints.cls += value;
  });
}
