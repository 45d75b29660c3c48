import { afterEach, expect, test, vi } from "vitest";
import type { RouteLocationNormalized } from "vue-router";
import { offlineGuard } from "./offlineGuard";

const page = (meta: object = {}) => ({ matched: [{}], meta }) as unknown as RouteLocationNormalized;
const NOWHERE = { matched: [], meta: {} } as unknown as RouteLocationNormalized;

afterEach(() => vi.unstubAllGlobals());

function visit(to: RouteLocationNormalized, from: RouteLocationNormalized, { online = false, traversing = false } = {}) {
  vi.stubGlobal("navigator", { onLine: online });
  const refused = vi.fn();
  const allowed: unknown = offlineGuard(() => traversing, refused).call(undefined, to, from, () => undefined);
  expect(refused).toHaveBeenCalledTimes(allowed === true ? 0 : 1);
  return allowed;
}

test("without a network a link leads nowhere, and the reason is given", () => {
  expect(visit(page(), page())).toBe(false);
});

test("with a network every link is followed", () => {
  expect(visit(page(), page(), { online: true })).toBe(true);
});

test("the first page, the page before and a page that works offline open without a network", () => {
  expect(visit(page(), NOWHERE)).toBe(true);
  expect(visit(page(), page(), { traversing: true })).toBe(true);
  expect(visit(page({ worksOffline: true }), page())).toBe(true);
});
