import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cacheNameOf, deleteOlderCaches, kindOf, respond, type Build } from "./shell";

const ORIGIN = "https://site.example";
const BUILD: Build = { version: "v2", files: ["/index.html", "/start.js", "/assets/index-1.js"] };

/** The part of `Cache` that is used. */
class FakeCache {
  readonly stored = new Map<string, string>();
  async match(request: Request | string): Promise<Response | undefined> {
    const body = this.stored.get(pathOf(request));
    return body === undefined ? undefined : new Response(body);
  }
  async put(request: Request, response: Response): Promise<void> {
    this.stored.set(pathOf(request), await response.text());
  }
}

function pathOf(request: Request | string): string {
  return typeof request === "string" ? request : new URL(request.url).pathname;
}

const cache = new FakeCache();
const get = (path: string) => new Request(ORIGIN + path);
const text = async (kind: "page" | "asset" | "file", path: string) =>
  (await respond(kind, get(path), cache as unknown as Cache)).text();

function network(reply: () => Promise<Response>) {
  const fetched = vi.fn(reply);
  vi.stubGlobal("fetch", fetched);
  return fetched;
}
const down = () => Promise.reject(new TypeError("Failed to fetch"));

beforeEach(() => {
  cache.stored.clear();
  cache.stored.set("/index.html", "cached page");
  cache.stored.set("/start.js", "cached script");
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ["GET", "navigate", "/", "page"],
  ["GET", "navigate", "/me/check-ins?x=1", "page"],
  ["GET", "navigate", "/api/site", "other"],
  ["GET", "navigate", "/cashier/12?ticket=1", "other"],
  ["GET", "cors", "/api/user/me", "other"],
  ["GET", "no-cors", "/imgs/demo/1.jpg", "other"],
  ["GET", "cors", "/tiles/map.pmtiles", "other"],
  ["GET", "navigate", "/tiles/map.pmtiles", "other"],
  ["POST", "navigate", "/sign-in", "other"],
  ["GET", "cors", "/assets/any-2.js", "asset"],
  ["GET", "no-cors", "/start.js", "file"],
  ["GET", "cors", "/metrics", "other"],
] as const)("%s, mode %s, of %s is of kind %s", (method, mode, path, kind) => {
  expect(kindOf({ method, mode, url: ORIGIN + path }, ORIGIN, BUILD)).toBe(kind);
});

test("another site's files are left alone", () => {
  const request = { method: "GET", mode: "no-cors", url: "https://tiles.example/assets/1.png" } as const;
  expect(kindOf(request, ORIGIN, BUILD)).toBe("other");
});

test("with a network the newest page is served, and the cached one stays as it was", async () => {
  network(async () => new Response("new page"));
  expect(await text("page", "/shop/7")).toBe("new page");
  expect(cache.stored.get("/index.html")).toBe("cached page");
});

test("without a network every URL opens the cached page", async () => {
  network(down);
  expect(await text("page", "/shop/7")).toBe("cached page");
});

test("a 5xx counts as no network", async () => {
  network(async () => new Response("Bad Gateway", { status: 502 }));
  expect(await text("page", "/")).toBe("cached page");
});

test("a file without a hash is fetched again, and cached for offline use", async () => {
  network(async () => new Response("new script"));
  expect(await text("file", "/start.js")).toBe("new script");
  network(down);
  expect(await text("file", "/start.js")).toBe("cached script");
});

test("an asset is fetched once", async () => {
  const fetched = network(async () => new Response("code"));
  expect(await text("asset", "/assets/any-2.js")).toBe("code");
  expect(await text("asset", "/assets/any-2.js")).toBe("code");
  expect(fetched).toHaveBeenCalledOnce();
});

test("an asset that is gone from the server is not cached", async () => {
  network(async () => new Response("no such file", { status: 404 }));
  expect((await respond("asset", get("/assets/old-1.js"), cache as unknown as Cache)).status).toBe(404);
  expect(cache.stored.has("/assets/old-1.js")).toBe(false);
});

test("what is not cached fails as it would without a worker", async () => {
  cache.stored.clear();
  network(down);
  await expect(text("page", "/")).rejects.toThrow("Failed to fetch");
});

test("a new build deletes the older caches of ours and nothing else", async () => {
  const names = ["tandian-shell-v1", cacheNameOf(BUILD), "other-site"];
  const dropped: string[] = [];
  const caches = {
    keys: async () => names,
    delete: async (name: string) => dropped.push(name) > 0,
  };
  await deleteOlderCaches(caches as unknown as CacheStorage, BUILD);
  expect(dropped).toEqual(["tandian-shell-v1"]);
});
