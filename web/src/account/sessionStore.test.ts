import { createPinia, setActivePinia } from "pinia";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ok, serve, unauthorized } from "@/shared/testing";
import { useSessionStore } from "./sessionStore";

const ME = { id: 7, nickName: "小满", icon: "", roles: ["user"] };

beforeEach(() => {
  localStorage.clear();
  setActivePinia(createPinia());
});
afterEach(() => vi.unstubAllGlobals());

test("a visitor of a public page costs no request", async () => {
  const requests = serve({});
  await useSessionStore().restore();
  expect(requests).toEqual([]);
});

test("a browser that was signed in loads the session", async () => {
  localStorage.setItem("tandian.signedIn", "yes");
  serve({ "GET /api/user/me": ok(ME) });
  const session = useSessionStore();
  await session.restore();
  expect(session.me).toEqual(ME);
});

test("a session that has ended is forgotten", async () => {
  localStorage.setItem("tandian.signedIn", "yes");
  serve({ "GET /api/user/me": unauthorized });
  const session = useSessionStore();
  expect(await session.ensure()).toBe("out");
  expect(localStorage.getItem("tandian.signedIn")).toBeNull();
});

test("a server that cannot be reached does not sign anyone out", async () => {
  localStorage.setItem("tandian.signedIn", "yes");
  serve({});
  const session = useSessionStore();
  expect(await session.ensure()).toBe("unknown");
  expect(localStorage.getItem("tandian.signedIn")).toBe("yes");
});

test("the session is loaded once", async () => {
  const requests = serve({ "GET /api/user/me": ok(ME) });
  const session = useSessionStore();
  await session.ensure();
  await session.ensure();
  expect(requests).toHaveLength(1);
});

test("signing in keeps no token anywhere", async () => {
  serve({ "POST /api/user/login": ok("secret-token"), "GET /api/user/me": ok(ME) });
  const session = useSessionStore();
  await session.signIn({ kind: "phone", value: "13800000001" }, { code: "123456" });
  expect(session.signedIn).toBe(true);
  expect(JSON.stringify({ ...localStorage, ...sessionStorage, state: session.$state })).not.toContain("secret-token");
});

test("signing out reports a failure when the server was not reached", async () => {
  serve({ "GET /api/user/me": ok(ME) });
  const session = useSessionStore();
  await session.refresh();
  await expect(session.signOut()).rejects.toMatchObject({ code: "network" });
  expect(session.signedIn).toBe(true);
});

test("signing out of a session that is gone already is signing out", async () => {
  serve({ "GET /api/user/me": ok(ME), "POST /api/user/logout": unauthorized });
  const session = useSessionStore();
  await session.refresh();
  await session.signOut();
  expect(session.state).toBe("out");
  expect(session.me).toBeNull();
});
