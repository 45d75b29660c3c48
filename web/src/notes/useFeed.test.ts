import { flushPromises } from "@vue/test-utils";
import { beforeEach, expect, test, vi } from "vitest";
import { nextTick } from "vue";
import { forgetAll } from "@/shared/kept";
import { withSetup } from "@/shared/testing";
import type { Note } from "./api";
import { useFeed } from "./useFeed";

const PAGE = 10;

interface Published {
  id: number;
  atMs: number;
}

/** A feed as the server pages it: by millisecond, inclusive, and by the last note seen of that millisecond. */
function feedServer(notes: Published[]) {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    const query = new URL(address, "http://site.test").searchParams;
    const lastId = Number(query.get("lastId") ?? Number.MAX_SAFE_INTEGER);
    const seen = Number(query.get("offset") ?? 0);
    const isNext = ({ id, atMs }: Published) => atMs < lastId || (atMs === lastId && seen !== 0 && id < seen);
    const page = [...notes].sort((a, b) => b.atMs - a.atMs || b.id - a.id).filter(isNext).slice(0, PAGE);
    const last = page.at(-1);
    const data = last && { list: page.map(noteOf), minTime: last.atMs, offset: last.id };
    return new Response(JSON.stringify({ success: true, data }));
  });
  return asked;
}

function noteOf({ id }: Published): Note {
  const author = { userId: 1, name: "小满", icon: "" };
  const text = { title: `第 ${id} 篇`, content: "", images: "" };
  const times = { createTime: "", updateTime: "", createdAtMs: 0 };
  return { id, shopId: 1, ...author, ...text, liked: 0, comments: 0, ...times };
}

/** Bursts of notes within the same millisecond, across the edges of pages. */
function bursts(count: number): Published[] {
  return Array.from({ length: count }, (_, at) => ({ id: at + 1, atMs: 1_000 + Math.floor(at / 7) }));
}

async function open() {
  const { result, app } = await withSetup(useFeed);
  await flushPromises();
  const ids = () => result.items.value.map((note) => note.id);
  return { feed: result, app, ids };
}

beforeEach(() => {
  forgetAll();
  vi.useRealTimers();
});

test("every note is shown once, newest first, however many share a millisecond", async () => {
  const notes = bursts(53);
  feedServer(notes);
  const { feed, ids } = await open();
  while (feed.state.value === "ready") await feed.loadMore();
  expect(ids()).toEqual(notes.map((note) => note.id).reverse());
});

test("what is published or deleted between two pages neither repeats nor hides another", async () => {
  const notes = bursts(40);
  feedServer(notes);
  const { feed, ids } = await open();
  notes.push({ id: 100, atMs: 9_000 }, { id: 101, atMs: 9_000 });
  notes.splice(notes.findIndex((note) => note.id === 35), 1);
  await feed.loadMore();
  notes.splice(notes.findIndex((note) => note.id === 25), 1);
  notes.splice(notes.findIndex((note) => note.id === 3), 1);
  while (feed.state.value === "ready") await feed.loadMore();
  expect(ids()).toEqual(Array.from({ length: 40 }, (_, at) => 40 - at).filter((id) => id !== 3));
});

test("new notes are counted and wait until the reader asks for them", async () => {
  const notes = bursts(12);
  feedServer(notes);
  const { feed, ids } = await open();
  await feed.look();
  expect(feed.fresh.value).toBe(0);
  notes.push({ id: 100, atMs: 9_000 }, { id: 101, atMs: 9_000 });
  await feed.look();
  expect(feed.fresh.value).toBe(2);
  expect(ids()[0]).toBe(12);
  await feed.refresh();
  expect(feed.fresh.value).toBe(0);
  expect(ids().slice(0, 3)).toEqual([101, 100, 12]);
});

test("the newest note being deleted is no news", async () => {
  const notes = bursts(12);
  feedServer(notes);
  const { feed } = await open();
  notes.pop();
  await feed.look();
  expect(feed.fresh.value).toBe(0);
});

test("an open page looks by itself, and no more once it is left", async () => {
  vi.useFakeTimers();
  const notes = bursts(3);
  const asked = feedServer(notes);
  const { feed, app } = await open();
  notes.push({ id: 100, atMs: 9_000 });
  await vi.advanceTimersByTimeAsync(46_000);
  expect(feed.fresh.value).toBe(1);
  app.unmount();
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(200_000);
  await nextTick();
  expect(asked).toHaveLength(before);
});
