import { beforeEach, expect, test, vi } from "vitest";
import { createMemoryHistory, createRouter } from "vue-router";
import { ok, refusal, serve, unauthorized, withSetup, type Reply } from "@/shared/testing";
import { useBlocking } from "./useBlocking";

const confirm = vi.hoisted(() => vi.fn<() => Promise<boolean>>());
vi.mock("@/shared/dialog", () => ({ confirm }));

const ME = ok({ id: 7, nickName: "小满", icon: "", roles: ["user"] });
const PERSON = { id: 9, name: "阿强" };
const PATH = "/api/block/9";
const blank = { render: () => null };
const routes = [
  { path: "/user/:id", component: blank },
  { path: "/sign-in", name: "sign-in", component: blank },
];

async function onPerson(table: Record<string, Reply>) {
  const requests = serve({ "GET /api/user/me": ME, ...table });
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push("/user/9");
  const { result } = await withSetup(() => useBlocking(), router);
  const sent = () => requests.map(({ line }) => line).filter((line) => line.includes("block"));
  return { blocking: result, router, sent };
}

beforeEach(() => {
  localStorage.setItem("tandian.signedIn", "yes");
  confirm.mockResolvedValue(true);
});

test("a blocked person is shown as blocked, and is unblocked without a question", async () => {
  const { blocking, sent } = await onPerson({ [`GET ${PATH}`]: ok(true), [`DELETE ${PATH}`]: ok() });
  await blocking.load(9);
  expect(blocking.blocked.value).toBe(true);
  expect(await blocking.unblock(9)).toBe(true);
  expect(blocking.blocked.value).toBe(false);
  expect(sent()).toEqual([`GET ${PATH}`, `DELETE ${PATH}`]);
});

test("nothing is sent unless the user confirms", async () => {
  confirm.mockResolvedValue(false);
  const { blocking, sent } = await onPerson({});
  expect(await blocking.block(PERSON)).toBe(false);
  expect(sent()).toEqual([]);
});

test("a second tap while the first is under way sends nothing", async () => {
  const { blocking, sent } = await onPerson({ [`PUT ${PATH}`]: ok() });
  expect(await Promise.all([blocking.block(PERSON), blocking.block(PERSON)])).toEqual([true, false]);
  expect(sent()).toEqual([`PUT ${PATH}`]);
  expect(blocking.blocked.value).toBe(true);
});

test("a refused block leaves the person unblocked", async () => {
  const { blocking } = await onPerson({ [`PUT ${PATH}`]: refusal("block_limit", "最多拉黑1000人") });
  expect(await blocking.block(PERSON)).toBe(false);
  expect(blocking.blocked.value).toBe(false);
});

test("a visitor is sent to sign in and back", async () => {
  localStorage.clear();
  const { blocking, router, sent } = await onPerson({ "GET /api/user/me": unauthorized });
  await blocking.load(9);
  expect(await blocking.block(PERSON)).toBe(false);
  expect(router.currentRoute.value).toMatchObject({ name: "sign-in", query: { next: "/user/9" } });
  expect(sent()).toEqual([]);
});
