// How the site opens on a slow phone: bytes, requests and the moments that people feel, in the manner of Lighthouse
// (a slow 4G line, a processor four times slower), for a first visit and for a second one. Prints a table; the median of
// several runs, each in a fresh browser.
import { launch, openContext, openPage, settled, VIEWPORTS } from "./browser.mjs";

const RUNS = Number(process.env.RUNS ?? 3);
/** Lighthouse's "slow 4G". */
const LINE = { offline: false, latency: 150, downloadThroughput: (1.6e6 / 8) * 0.9, uploadThroughput: (750e3 / 8) * 0.9 };
const SLOWER = 4;
const PAGES = [
  { name: "home", path: "/" },
  { name: "shop", path: "/shop/4" },
  { name: "flash sale", path: "/sale/4" },
];

const browser = await launch();
try {
  console.log("| page | visit | requests | kB in all | kB of scripts | first paint | largest paint | layout shift |");
  console.log("|---|---|---|---|---|---|---|---|");
  for (const page of PAGES) await report(page);
} finally {
  await browser.close();
}

async function report({ name, path }) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await visits(path));
  for (const visit of ["first", "second"]) {
    const of = (figure) => median(runs.map((run) => run[visit][figure]));
    const seconds = (figure) => `${(of(figure) / 1000).toFixed(1)} s`;
    const kb = (figure) => Math.round(of(figure) / 1000);
    const row = [name, visit, of("requests"), kb("bytes"), kb("scriptBytes"), seconds("fcpMs"), seconds("lcpMs"), of("cls").toFixed(3)];
    console.log(`| ${row.join(" | ")} |`);
  }
}

async function visits(path) {
  const context = await openContext(browser, { ...VIEWPORTS.phone, serviceWorkers: "allow" });
  const { page } = await openPage(context);
  await page.addInitScript(watchPaints);
  const line = await context.newCDPSession(page);
  await line.send("Network.enable");
  await line.send("Network.emulateNetworkConditions", LINE);
  await line.send("Emulation.setCPUThrottlingRate", { rate: SLOWER });
  const first = await measure(page, line, path);
  await page.evaluate(() => navigator.serviceWorker?.ready.then(() => undefined));
  const second = await measure(page, line, path);
  await context.close();
  return { first, second };
}

async function measure(page, line, path) {
  const requests = new Map();
  const onSent = ({ requestId, type }) => requests.set(requestId, { type, bytes: 0 });
  const onDone = ({ requestId, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) request.bytes = encodedDataLength;
  };
  line.on("Network.requestWillBeSent", onSent);
  line.on("Network.loadingFinished", onDone);
  await page.goto(path, { timeout: 60_000 });
  await settled(page);
  line.off("Network.requestWillBeSent", onSent);
  line.off("Network.loadingFinished", onDone);
  const paints = await page.evaluate(() => window.paints);
  const all = [...requests.values()];
  const sum = (list) => list.reduce((total, { bytes }) => total + bytes, 0);
  const fetched = all.filter(({ bytes }) => bytes > 0);
  return {
    ...paints,
    requests: fetched.length,
    bytes: sum(all),
    scriptBytes: sum(all.filter(({ type }) => type === "Script")),
  };
}

/** Runs in the page before anything of ours. */
function watchPaints() {
  window.paints = { fcpMs: 0, lcpMs: 0, cls: 0 };
  const watch = (type, see) =>
    new PerformanceObserver((list) => list.getEntries().forEach(see)).observe({ type, buffered: true });
  watch("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") window.paints.fcpMs = startTime;
  });
  watch("largest-contentful-paint", ({ startTime }) => (window.paints.lcpMs = startTime));
  watch("layout-shift", ({ value, hadRecentInput }) => {
    if (!hadRecentInput) window.paints.cls += value;
  });
}

function median(values) {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];
}
