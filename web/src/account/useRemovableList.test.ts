import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import { createMemoryHistory, createRouter } from "vue-router";
import { ok, refusal, serve, withSetup, type Reply } from "@/shared/testing";
import { keepNote, listSavedNotes } from "@/favourites/api";
import { useRemovableList } from "./useRemovableList";

const ME = ok({ id: 7, nickName: "小满", icon: "", roles: ["user"] });
const NOTES = {
  fetchPage: listSavedNotes,
  key: (saved: { noteId: number }) => saved.noteId,
  remove: (id: number) => keepNote(id, false),
};
const saved = (noteId: number) => ({ noteId, savedAtMs: 0 });

async function onPage(table: Record<string, Reply>) {
  const requests = serve({ "GET /api/user/me": ME, "GET /api/favourite/note": ok({ list: [saved(1), saved(2)] }), ...table });
  const routes = [{ path: "/me/favourites", component: { render: () => null } }];
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push("/me/favourites");
  const { result } = await withSetup(() => useRemovableList(NOTES), router);
  await flushPromises();
  return { page: result, ids: () => result.items.value.map((note) => note.noteId), requests };
}

test("a removed item leaves at once, and a second tap sends nothing", async () => {
  const { page, ids, requests } = await onPage({ "DELETE /api/favourite/note/1": ok() });
  const removed = [page.remove(1), page.remove(1)];
  expect(ids()).toEqual([2]);
  expect(await Promise.all(removed)).toEqual([true, false]);
  expect(requests.filter(({ line }) => line.startsWith("DELETE"))).toHaveLength(1);
  expect(page.frame.value.count).toBe(1);
});

test("an item whose removal failed comes back to its place", async () => {
  const { page, ids } = await onPage({ "DELETE /api/favourite/note/1": refusal("busy", "系统繁忙") });
  expect(await page.remove(1)).toBe(false);
  expect(ids()).toEqual([1, 2]);
});
