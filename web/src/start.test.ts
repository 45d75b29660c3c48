import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { call, configureClient } from "@/shared/api/client";
import { dropEarlyReplies } from "@/shared/api/earlyReplies";
import { ok, serve } from "@/shared/testing";
import { startEarly, type FirstFiles } from "./start";

const FILES: FirstFiles = {
  languages: { "zh-CN": ["/assets/zh.js"], en: ["/assets/en.js"] },
  pages: [
    ["^/shop/[^/]+/?$", ["/assets/shop.css", "/assets/shop.js"]],
    ["^/[^/]+/?$", ["/assets/none.js"]],
  ],
};
const SHOP = ok({ id: 7, name: "面馆", images: "/imgs/demo/a.jpg,/imgs/demo/b.jpg" });
const SITE = ok({ nowMs: 1_000_000 });
const links = () => [...document.head.querySelectorAll("link")].map((link) => `${link.rel} ${link.getAttribute("href")}`);

beforeEach(() => {
  localStorage.clear();
  document.head.replaceChildren();
  vi.stubGlobal("navigator", { languages: ["zh-CN"] });
});
afterEach(() => {
  dropEarlyReplies();
  configureClient({ language: () => "zh-CN", onUnauthorized: () => undefined });
  vi.unstubAllGlobals();
});

const open = (pathname: string, search = "") => startEarly(FILES, { pathname, search });
const lines = (requests: { line: string }[]) => requests.map(({ line }) => line).sort();

test("a page's scripts are requested before its styles, and the language's first", () => {
  serve({});
  open("/shop/7");
  expect(links()).toEqual(["modulepreload /assets/zh.js", "modulepreload /assets/shop.js", "preload /assets/shop.css"]);
});

test("a shop's page is requested with its first picture, and each reply serves the app once", async () => {
  const requests = serve({ "GET /api/shop/7": SHOP, "GET /api/site": SITE, "GET /api/voucher/list/7": ok([]) });
  open("/shop/7");
  expect(lines(requests)).toEqual(["GET /api/blog/of/shop?id=7&current=1", "GET /api/shop/7", "GET /api/site", "GET /api/voucher/list/7"]);
  await vi.waitFor(() => expect(links()).toContain("preload /imgs/demo/a.jpg"));
  expect(links()).not.toContain("preload /imgs/demo/b.jpg");

  // The app, which has a client of its own.
  configureClient({ language: () => "zh-CN", onUnauthorized: () => undefined });
  expect(await call("get", "/api/shop/{id}", { path: { id: 7 } })).toMatchObject({ name: "面馆" });
  expect(requests).toHaveLength(4);
  await call("get", "/api/shop/{id}", { path: { id: 7 } });
  expect(requests).toHaveLength(5);
});

test("a reply in another language, or for another page, is not used", async () => {
  const requests = serve({ "GET /api/shop/7": SHOP });
  open("/shop/7");
  configureClient({ language: () => "en", onUnauthorized: () => undefined });
  await call("get", "/api/shop/{id}", { path: { id: 7 } });
  expect(requests).toHaveLength(5);
  dropEarlyReplies();
  configureClient({ language: () => "zh-CN", onUnauthorized: () => undefined });
  await call("get", "/api/shop/{id}", { path: { id: 7 } });
  expect(requests).toHaveLength(6);
});

test("a request that fails early fails as it would have in the app", async () => {
  serve({});
  open("/shop/7");
  configureClient({ language: () => "zh-CN", onUnauthorized: () => undefined });
  await expect(call("get", "/api/shop/{id}", { path: { id: 7 } })).rejects.toMatchObject({ code: "network" });
});

test("lists are searched around the chosen city, as their URL says", () => {
  localStorage.setItem("tandian.place", "shanghai");
  const requests = serve({});
  open("/shops/3", "?sort=score&radius=10000");
  expect(lines(requests)[0]).toBe("GET /api/shop-type/list");
  expect(lines(requests)[1]).toMatch(/of\/type\?typeId=3&current=1&size=10&x=121\.4737&y=31\.2304&sortBy=score&radius=10000$/);
});

test("a page without first calls gets its files and the site alone", () => {
  const requests = serve({});
  open("/orders");
  expect(lines(requests)).toEqual(["GET /api/site"]);
  expect(links()).toContain("modulepreload /assets/none.js");
});
