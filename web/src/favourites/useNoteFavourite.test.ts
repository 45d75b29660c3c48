import { beforeEach, expect, test } from "vitest";
import { flushPromises } from "@vue/test-utils";
import { createMemoryHistory, createRouter } from "vue-router";
import { ok, refusal, serve, unauthorized, withSetup, type Reply } from "@/shared/testing";
import { useNoteFavourite } from "./useNoteFavourite";

const ME = ok({ id: 7, nickName: "小满", icon: "", roles: ["user"] });
const NOTE = "/api/favourite/note/4";
const blank = { render: () => null };
const routes = [
  { path: "/note/:id", component: blank },
  { path: "/sign-in", name: "sign-in", component: blank },
];

async function onNote(table: Record<string, Reply | (() => Reply | Promise<Reply>)>) {
  const requests = serve({ "GET /api/user/me": ME, ...table });
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push("/note/4");
  const { result } = await withSetup(() => useNoteFavourite(4), router);
  const sent = () => requests.map(({ line }) => line).filter((line) => line.includes("favourite"));
  return { note: result, router, sent };
}

beforeEach(() => localStorage.setItem("tandian.signedIn", "yes"));

test("a kept note is shown as kept, and one tap keeps it no longer", async () => {
  const { note, sent } = await onNote({ [`GET ${NOTE}`]: ok(true), [`DELETE ${NOTE}`]: ok() });
  await note.load();
  expect(note.kept.value).toBe(true);
  expect(await note.toggle()).toBe(true);
  expect(note.kept.value).toBe(false);
  expect(sent()).toEqual([`GET ${NOTE}`, `DELETE ${NOTE}`]);
});

test("a refused tap gives back what was there", async () => {
  const { note } = await onNote({ [`PUT ${NOTE}`]: refusal("favourite_note_limit", "最多收藏1000篇笔记") });
  const toggled = note.toggle();
  await flushPromises();
  expect(await toggled).toBe(false);
  expect(note.kept.value).toBe(false);
});

test("for a visitor nothing is asked, and a tap leads to sign-in and back", async () => {
  localStorage.clear();
  const { note, router, sent } = await onNote({ "GET /api/user/me": unauthorized });
  await note.load();
  expect(await note.toggle()).toBe(false);
  expect(router.currentRoute.value).toMatchObject({ name: "sign-in", query: { next: "/note/4" } });
  expect(sent()).toEqual([]);
});
