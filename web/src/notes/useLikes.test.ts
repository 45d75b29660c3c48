import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import { reactive } from "vue";
import { createMemoryHistory, createRouter } from "vue-router";
import { useSessionStore } from "@/account/sessionStore";
import { useFollowing } from "@/people/useFollowing";
import { configureClient } from "@/shared/api/client";
import { ok, refusal, serve, unauthorized, withSetup, type Reply } from "@/shared/testing";
import { toggleNoteLike } from "./api";
import { useLikes } from "./useLikes";

const ME = ok({ id: 7, nickName: "小满", icon: "", roles: ["user"] });

const blank = { render: () => null };
const routes = [
  { path: "/note/:id", component: blank },
  { path: "/sign-in", name: "sign-in", component: blank },
];

/** On the page of a note, with a server that answers so. */
async function onNote<T>(table: Record<string, Reply | (() => Reply | Promise<Reply>)>, composable: () => T) {
  const requests = serve({ "GET /api/user/me": ME, ...table });
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push("/note/1");
  const { result } = await withSetup(composable, router);
  const sent = () => requests.map(({ line }) => line).filter((line) => line.startsWith("PUT"));
  return { result, router, sent };
}

const likes = () => useLikes(toggleNoteLike);
const note = () => reactive({ id: 1, liked: 4, isLike: false });

test("a like is shown before the server has answered", async () => {
  let answer: (value: Reply) => void = () => undefined;
  const slow = () => new Promise<Reply>((resolve) => (answer = resolve));
  const { result } = await onNote({ "PUT /api/blog/like/1": slow }, likes);
  const target = note();
  const toggled = result.toggle(target);
  await flushPromises();
  expect(target).toMatchObject({ liked: 5, isLike: true });
  answer(ok());
  expect(await toggled).toBe(true);
  expect(target).toMatchObject({ liked: 5, isLike: true });
});

test("a hasty second tap does not undo the first", async () => {
  const { result, sent } = await onNote({ "PUT /api/blog/like/1": ok() }, likes);
  const target = note();
  expect(await Promise.all([result.toggle(target), result.toggle(target)])).toEqual([true, false]);
  expect(sent()).toHaveLength(1);
  expect(target).toMatchObject({ liked: 5, isLike: true });
});

test("a refused like is reverted", async () => {
  const { result } = await onNote({ "PUT /api/blog/like/1": refusal("note_not_found", "笔记不存在") }, likes);
  const target = note();
  expect(await result.toggle(target)).toBe(false);
  expect(target).toMatchObject({ liked: 4, isLike: false });
});

test("a visitor is sent to sign in and back, and nothing is sent for them", async () => {
  const { result, router, sent } = await onNote({ "GET /api/user/me": unauthorized }, likes);
  const target = note();
  expect(await result.toggle(target)).toBe(false);
  expect(router.currentRoute.value).toMatchObject({ name: "sign-in", query: { next: "/note/1" } });
  expect(sent()).toEqual([]);
  expect(target.liked).toBe(4);
});

test("a user whose session ended meanwhile is sent to sign-in, and the like is reverted", async () => {
  let signedIn = true;
  const table = {
    "GET /api/user/me": () => (signedIn ? ME : unauthorized),
    "PUT /api/blog/like/1": () => ((signedIn = false), unauthorized),
  };
  const { result, router } = await onNote(table, likes);
  configureClient({ language: () => "zh-CN", onUnauthorized: () => useSessionStore().forget() });
  const target = note();
  expect(await result.toggle(target)).toBe(false);
  expect(router.currentRoute.value).toMatchObject({ name: "sign-in", query: { next: "/note/1" } });
  expect(target).toMatchObject({ liked: 4, isLike: false });
});

test("following changes once the server has accepted it, and the next press toggles it back", async () => {
  const table = { "PUT /api/follow/9/true": ok(), "PUT /api/follow/9/false": ok() };
  const { result, sent } = await onNote(table, useFollowing);
  expect(await Promise.all([result.toggle(9), result.toggle(9)])).toEqual([true, false]);
  expect(result.following.get(9)).toBe(true);
  await result.toggle(9);
  expect(result.following.get(9)).toBe(false);
  expect(sent()).toEqual(["PUT /api/follow/9/true", "PUT /api/follow/9/false"]);
});

test("following that is refused changes nothing", async () => {
  const { result } = await onNote({ "PUT /api/follow/9/true": refusal("follow_limit", "关注太多了") }, useFollowing);
  expect(await result.toggle(9)).toBe(false);
  expect(result.following.get(9) ?? false).toBe(false);
});

test("following oneself is not requested, and visitors request nothing", async () => {
  localStorage.setItem("tandian.signedIn", "yes");
  const { result } = await onNote({ "GET /api/follow/or/not/9": ok(true) }, useFollowing);
  await result.load(9);
  await result.load(7);
  expect([...result.following]).toEqual([[9, true]]);
  localStorage.clear();
  const visitor = await onNote({ "GET /api/follow/or/not/9": ok(true) }, useFollowing);
  await visitor.result.load(9);
  expect([...visitor.result.following]).toEqual([]);
});
