import { flushPromises } from "@vue/test-utils";
import { beforeEach, expect, test } from "vitest";
import { serve, withSetup } from "@/shared/testing";
import { useNoteDraft } from "./useNoteDraft";
import { usePictures } from "./usePictures";

beforeEach(() => {
  localStorage.clear();
  serve({});
});

/** One visit to the page by a user. */
async function visit(userId: number) {
  const { result, app } = await withSetup(() => {
    const album = usePictures(9);
    return { album, ...useNoteDraft(userId, album) };
  });
  return { ...result, leave: () => app.unmount() };
}

test("what was written is there on the next visit, with its pictures", async () => {
  const first = await visit(7);
  expect(first.restored.value).toBe(false);
  first.draft.title = "好面";
  first.draft.shop = { id: 5, name: "面馆" };
  first.album.restore(["/blogs/1/2/a.jpg"]);
  await flushPromises();
  first.leave();

  const second = await visit(7);
  expect(second.restored.value).toBe(true);
  expect(second.draft).toMatchObject({ title: "好面", shop: { id: 5, name: "面馆" } });
  expect(second.album.names.value).toEqual(["/blogs/1/2/a.jpg"]);
  second.leave();
  expect((await visit(8)).restored.value).toBe(false);
});

test("a draft keeps its key over a reload, and a new one gets another", async () => {
  const first = await visit(7);
  const key = first.key.value;
  first.draft.title = "好面";
  await flushPromises();
  first.leave();
  const second = await visit(7);
  expect(second.key.value).toBe(key);
  second.startOver();
  expect(second.key.value).not.toBe(key);
});

test("leaving the page does not empty the draft", async () => {
  const page = await visit(7);
  page.album.restore(["/blogs/1/2/a.jpg"]);
  await flushPromises();
  page.leave();
  await flushPromises();
  expect((await visit(7)).album.names.value).toEqual(["/blogs/1/2/a.jpg"]);
});

test("a published note leaves no draft behind, whatever is typed meanwhile", async () => {
  const page = await visit(7);
  page.draft.title = "好面";
  await flushPromises();
  page.finish();
  page.draft.title = "好面！";
  await flushPromises();
  expect((await visit(7)).restored.value).toBe(false);
});

test("starting over forgets everything", async () => {
  const page = await visit(7);
  page.draft.text = "汤鲜";
  page.draft.stars = 3;
  await flushPromises();
  page.startOver();
  await flushPromises();
  expect(page.draft).toMatchObject({ text: "", stars: null });
  expect((await visit(7)).restored.value).toBe(false);
});
