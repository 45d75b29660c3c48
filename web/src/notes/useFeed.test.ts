import { flushPromises } from "@vue/test-utils";
import { beforeEach, expect, test, vi } from "vitest";
import { nextTick } from "vue";
import { clearHistoryCache } from "@/shared/historyCache";
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
  const requested: string[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    requested.push(address);
    const query = new URL(address, "http://site.test").searchParams;
    const lastId = Number(query.get("lastId") ?? Number.MAX_SAFE_INTEGER);
    const seen = Number(query.get("offset") ?? 0);
    const isNext = ({ id, atMs }: Published) => atMs < lastId || (atMs === lastId && seen !== 0 && id < seen);
    const page = [...notes].sort((a, b) => b.atMs - a.atMs || b.id - a.id).filter(isNext).slice(0, PAGE);
    const last = page.at(-1);
    const data = last && { list: page.map(noteOf), minTime: last.atMs, offset: last.id };
    return new Response(JSON.stringify({ success: true, data }));
  });
  return requested;
}

function noteOf({ id }: Published): Note {
  const author = { userId: 1, name: "小满", icon: "" };
  const text = { title: `第 ${id} 篇`, content: "", images: "" };
  const times = { createTime: "", updateTime: "", createdAtMs: 0, edits: 0 };
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
  clearHistoryCache();
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

test("new notes are counted and shown only on request", async () => {
  const notes = bursts(12);
  feedServer(notes);
  const { feed, ids } = await open();
  await feed.poll();
  expect(feed.fresh.value).toBe(0);
  notes.push({ id: 100, atMs: 9_000 }, { id: 101, atMs: 9_000 });
  await feed.poll();
  expect(feed.fresh.value).toBe(2);
  expect(ids()[0]).toBe(12);
  await feed.refresh();
  expect(feed.fresh.value).toBe(0);
  expect(ids().slice(0, 3)).toEqual([101, 100, 12]);
});

test("deleting the newest note counts as no new note", async () => {
  const notes = bursts(12);
  feedServer(notes);
  const { feed } = await open();
  notes.pop();
  await feed.poll();
  expect(feed.fresh.value).toBe(0);
});

test("an open page polls, and stops once it is left", async () => {
  vi.useFakeTimers();
  const notes = bursts(3);
  const requested = feedServer(notes);
  const { feed, app } = await open();
  notes.push({ id: 100, atMs: 9_000 });
  await vi.advanceTimersByTimeAsync(46_000);
  expect(feed.fresh.value).toBe(1);
  app.unmount();
  const before = requested.length;
  await vi.advanceTimersByTimeAsync(200_000);
  await nextTick();
  expect(requested).toHaveLength(before);
});
