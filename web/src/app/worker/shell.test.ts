import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { answer, cacheNameOf, dropOlder, kindOf, type Build } from "./shell";

const ORIGIN = "https://site.example";
const BUILD: Build = { version: "v2", files: ["/index.html", "/theme.js", "/assets/index-1.js"] };

/** Of the browser's cache, the part that is used here. */
class Shelf {
  readonly kept = new Map<string, string>();
  async match(request: Request | string): Promise<Response | undefined> {
    const body = this.kept.get(pathOf(request));
    return body === undefined ? undefined : new Response(body);
  }
  async put(request: Request, response: Response): Promise<void> {
    this.kept.set(pathOf(request), await response.text());
  }
}

function pathOf(request: Request | string): string {
  return typeof request === "string" ? request : new URL(request.url).pathname;
}

const shelf = new Shelf();
const get = (path: string) => new Request(ORIGIN + path);
const text = async (kind: "page" | "asset" | "file", path: string) =>
  (await answer(kind, get(path), shelf as unknown as Cache)).text();

function network(reply: () => Promise<Response>) {
  const fetched = vi.fn(reply);
  vi.stubGlobal("fetch", fetched);
  return fetched;
}
const down = () => Promise.reject(new TypeError("Failed to fetch"));

beforeEach(() => {
  shelf.kept.clear();
  shelf.kept.set("/index.html", "kept page");
  shelf.kept.set("/theme.js", "kept script");
});
afterEach(() => vi.unstubAllGlobals());

test.each([
  ["GET", "navigate", "/", "page"],
  ["GET", "navigate", "/me/check-ins?x=1", "page"],
  ["GET", "navigate", "/api/site", "other"],
  ["GET", "cors", "/api/user/me", "other"],
  ["GET", "no-cors", "/imgs/demo/1.jpg", "other"],
  ["POST", "navigate", "/sign-in", "other"],
  ["GET", "cors", "/assets/any-2.js", "asset"],
  ["GET", "no-cors", "/theme.js", "file"],
  ["GET", "cors", "/metrics", "other"],
] as const)("%s, mode %s, of %s is of kind %s", (method, mode, path, kind) => {
  expect(kindOf({ method, mode, url: ORIGIN + path }, ORIGIN, BUILD)).toBe(kind);
});

test("another site's files are left alone", () => {
  const request = { method: "GET", mode: "no-cors", url: "https://tiles.example/assets/1.png" } as const;
  expect(kindOf(request, ORIGIN, BUILD)).toBe("other");
});

test("with a network the newest page is shown, and the kept one stays as it was", async () => {
  network(async () => new Response("new page"));
  expect(await text("page", "/shop/7")).toBe("new page");
  expect(shelf.kept.get("/index.html")).toBe("kept page");
});

test("without a network every address opens the kept page", async () => {
  network(down);
  expect(await text("page", "/shop/7")).toBe("kept page");
});

test("a server with a fault of its own is as good as none", async () => {
  network(async () => new Response("Bad Gateway", { status: 502 }));
  expect(await text("page", "/")).toBe("kept page");
});

test("a file without a hash is asked for anew, and kept for bad times", async () => {
  network(async () => new Response("new script"));
  expect(await text("file", "/theme.js")).toBe("new script");
  network(down);
  expect(await text("file", "/theme.js")).toBe("kept script");
});

test("an asset is fetched once", async () => {
  const fetched = network(async () => new Response("code"));
  expect(await text("asset", "/assets/any-2.js")).toBe("code");
  expect(await text("asset", "/assets/any-2.js")).toBe("code");
  expect(fetched).toHaveBeenCalledOnce();
});

test("an asset that is gone from the server is not kept", async () => {
  network(async () => new Response("no such file", { status: 404 }));
  expect((await answer("asset", get("/assets/old-1.js"), shelf as unknown as Cache)).status).toBe(404);
  expect(shelf.kept.has("/assets/old-1.js")).toBe(false);
});

test("what nobody kept fails as it would without a worker", async () => {
  shelf.kept.clear();
  network(down);
  await expect(text("page", "/")).rejects.toThrow("Failed to fetch");
});

test("a new build drops the older ones of ours and nothing else", async () => {
  const names = ["tandian-shell-v1", cacheNameOf(BUILD), "somebody-else"];
  const dropped: string[] = [];
  const caches = {
    keys: async () => names,
    delete: async (name: string) => dropped.push(name) > 0,
  };
  await dropOlder(caches as unknown as CacheStorage, BUILD);
  expect(dropped).toEqual(["tandian-shell-v1"]);
});
