import { createPinia, setActivePinia } from "pinia";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ok, serve, unauthorized } from "@/shared/testing";
import { createAppRouter, routes } from "./router";

const ME = ok({ id: 7, nickName: "小满", icon: "", roles: ["user"] });

beforeEach(() => {
  localStorage.clear();
  setActivePinia(createPinia());
});
afterEach(() => vi.unstubAllGlobals());

async function visit(address: string): Promise<string> {
  const router = createAppRouter();
  await router.push(address);
  return router.currentRoute.value.fullPath;
}

test("a private page sends visitors to sign in, and remembers where they were going", async () => {
  serve({ "GET /api/user/me": unauthorized });
  expect(await visit("/me/edit?x=1")).toBe("/sign-in?next=/me/edit?x=1");
});

test("a private page opens for the signed-in", async () => {
  serve({ "GET /api/user/me": ME });
  expect(await visit("/me")).toBe("/me");
});

test("a private page opens when the server cannot be reached, and reports it", async () => {
  serve({});
  expect(await visit("/me")).toBe("/me");
});

test("an unknown URL opens the not-found page", async () => {
  serve({});
  const router = createAppRouter();
  await router.push("/no/such");
  expect(router.currentRoute.value.name).toBe("not-found");
});

test("every page has a title", () => {
  for (const route of routes) expect(route.meta?.titleKey, route.path).toMatch(/^title\./);
});
