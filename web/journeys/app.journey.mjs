// The site as an app on the phone: it opens without a network, keeps nothing it must not, and takes a new version well.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { byTest, freshPhone, launch, openContext, openPage, settled, signIn, VIEWPORTS } from "./browser.mjs";
import { openFront, readDist } from "./deployment.mjs";

let browser;
let dist;
before(async () => {
  browser = await launch();
  dist = await readDist();
});
after(() => browser?.close());

/** A page behind a front of its own, with the worker in charge of it. */
async function installed(t) {
  const front = await openFront(dist);
  const context = await openContext(browser, { ...VIEWPORTS.phone, baseURL: front.url, serviceWorkers: "allow" });
  t.after(async () => {
    await context.close();
    await front.close();
  });
  const { page } = await openPage(context);
  await page.goto("/");
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  return { front, context, page };
}

test("the app can be installed: its manifest and all its icons are there", async (t) => {
  const { page, front } = await installed(t);
  const address = await page.locator("link[rel=manifest]").getAttribute("href");
  const manifest = await (await page.request.get(front.url + address)).json();
  assert.equal(manifest.display, "standalone");
  const purposes = manifest.icons.map(({ purpose = "any" }) => purpose);
  assert.ok(purposes.includes("maskable") && purposes.includes("any"));
  for (const { src, sizes, type } of manifest.icons) {
    const response = await page.request.get(front.url + src);
    assert.equal(response.headers()["content-type"], type);
    if (sizes !== "any") assert.equal(sizes, pngSize(await response.body()));
  }
});

test("without a network any URL opens the app, which says that it is offline", async (t) => {
  const { context, page, front } = await installed(t);
  await front.close();
  await context.setOffline(true);
  await page.goto("/");
  await page.getByText("网络已断开").waitFor();
  await page.getByRole("navigation", { name: "主导航" }).waitFor();
  await page.goto("/shop/4");
  await page.getByText("没能加载出来").waitFor();
});

test("without a network a tap keeps the page and says why, and the notice stays in sight", async (t) => {
  const { context, page } = await installed(t);
  await settled(page);
  await context.setOffline(true);
  await byTest(page, "offline").waitFor();
  await page.evaluate(() => window.scrollTo(0, 600));
  await page.waitForFunction(() => window.scrollY > 300);
  const notice = await byTest(page, "offline").boundingBox();
  assert.ok(notice.y >= 0 && notice.y < 120, `the notice is at ${notice.y}`);
  for (const name of ["动态", "我的"]) {
    await page.getByRole("navigation", { name: "主导航" }).getByRole("link", { name }).click();
    await byTest(page, "toast").waitFor();
    assert.equal(new URL(page.url()).pathname, "/");
    assert.ok(await byTest(page, "note-card").first().isVisible());
    await byTest(page, "toast").waitFor({ state: "detached" });
  }
  await context.setOffline(false);
  await byTest(page, "offline").waitFor({ state: "detached" });
  await byTest(page, "type").first().click();
  await page.waitForURL(/\/shops\//);
});

test("a comment that could not be sent is offered again after a reload, and not once it was sent", async (t) => {
  const { context, page } = await installed(t);
  await page.goto("/sign-in?next=/");
  await signIn(page, freshPhone());
  await byTest(page, "note-card").first().click();
  const field = byTest(page, "comment-text");
  await field.fill("汤很鲜，下次还来");
  await context.setOffline(true);
  await byTest(page, "send-comment").click();
  await byTest(page, "toast").waitFor();
  assert.equal(await field.inputValue(), "汤很鲜，下次还来");
  await context.setOffline(false);
  await page.reload();
  await byTest(page, "comment-restored").waitFor();
  assert.equal(await field.inputValue(), "汤很鲜，下次还来");
  await byTest(page, "send-comment").click();
  await page.getByText("汤很鲜，下次还来").waitFor();
  await page.reload();
  await page.getByText("汤很鲜，下次还来").waitFor();
  assert.equal(await field.inputValue(), "");
  assert.equal(await byTest(page, "comment-restored").count(), 0);
});

test("nothing of the server's is cached in the browser", async (t) => {
  const { page } = await installed(t);
  await page.reload();
  await page.locator("h1").first().waitFor();
  const kept = await page.evaluate(async () => {
    const caches = await Promise.all((await window.caches.keys()).map((name) => window.caches.open(name)));
    const requests = await Promise.all(caches.map((cache) => cache.keys()));
    return requests.flat().map(({ url }) => new URL(url).pathname);
  });
  assert.ok(kept.includes("/index.html"));
  // Vouchers are used and notes written where there is no network: their pages are installed before they are ever opened.
  for (const name of ["OrderPage", "OrdersPage", "PublishPage"]) assert.ok(kept.some((path) => path.startsWith(`/assets/${name}-`)), `no ${name}`);
  assert.deepEqual(
    kept.filter((path) => path.startsWith("/api/") || path.startsWith("/imgs/")),
    [],
  );
});

test("a new version is offered, waits for the user, and then runs", async (t) => {
  const { front, page } = await installed(t);
  front.files = nextVersion(dist);
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update());
  await byTest(page, "update").waitFor();
  assert.equal(await page.locator("html").getAttribute("data-version"), null);
  await byTest(page, "take-update").click();
  await page.locator("html[data-version=next]").waitFor();
  await byTest(page, "update").waitFor({ state: "detached" });
  assert.equal((await page.evaluate(() => window.caches.keys())).length, 1);
});

test("an old page that needs a file of its version after a deployment reloads itself", async (t) => {
  const { front, page } = await installed(t);
  const files = nextVersion(dist);
  for (const name of dist.keys()) if (/\/assets\/SignInPage-.*\.js$/.test(name)) files.delete(name);
  front.files = files;
  await page.getByRole("navigation", { name: "主导航" }).getByRole("link", { name: "我的" }).click();
  await page.locator("html[data-version=next]").waitFor();
});

/** The same app with a mark on its page and a worker of another version. */
function nextVersion(files) {
  const page = String(files.get("/index.html")).replace("<html ", '<html data-version="next" ');
  const worker = String(files.get("/sw.js")).replace(/(version:\s*[`"'])/, "$1next-");
  return new Map([...files, ["/index.html", Buffer.from(page)], ["/sw.js", Buffer.from(worker)]]);
}

/** Width and height are at a fixed offset in every PNG. */
function pngSize(bytes) {
  return `${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`;
}
