import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { DraftRead } from "@/notes/api";
import { ok, refusal, serve, withSetup, type Reply } from "@/shared/testing";
import { useNoteDraft } from "./useNoteDraft";
import { usePictures } from "./usePictures";

/** Longer than a pause in typing, shorter than the next try. */
const PAUSE_MS = 3_000;
const LATER_MS = 40_000;

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

function read(key: string, revision: number, text: string): DraftRead {
  return { key, revision, savedAtMs: 1_000, content: { title: "", text, pictures: [], dishes: [], mentions: [] } };
}

function only(drafts: readonly DraftRead[]): DraftRead {
  const [first, ...more] = drafts;
  if (first === undefined || more.length > 0) throw new Error(`not one draft: ${drafts.length}`);
  return first;
}

/** The server's side: what it has, and how it replies to the next save. */
function server(drafts: DraftRead[]) {
  const there = { drafts, lose: false, hold: undefined as Promise<void> | undefined, saves: [] as { key: string; revision: number; text: string }[], deleted: [] as string[], refuse: undefined as Reply | undefined };
  serve({});
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const key = decodeURIComponent(url.split("/").at(-1) ?? "");
    const reply = answer(init, key);
    if (init.method === "GET") await there.hold;
    if (there.lose && init.method === "PUT") throw new TypeError("Failed to fetch");
    if (reply === undefined) throw new TypeError("Failed to fetch");
    return new Response(JSON.stringify(reply.body), { status: reply.status ?? 200 });
  });

  function answer({ method, body }: RequestInit, key: string): Reply | undefined {
    if (method === "GET") return ok(there.drafts);
    if (method === "DELETE") {
      there.deleted.push(key);
      there.drafts = there.drafts.filter((draft) => draft.key !== key);
      return ok();
    }
    const { revision, content } = JSON.parse(String(body)) as { revision: number; content: DraftRead["content"] };
    there.saves.push({ key, revision, text: content.text });
    if (there.refuse !== undefined) return there.refuse;
    there.drafts = [{ ...read(key, revision + 1, content.text), content }, ...there.drafts.filter((draft) => draft.key !== key)];
    return ok({ revision: revision + 1, savedAtMs: 2_000 });
  }
  return there;
}

async function visit() {
  const { result, app } = await withSetup(() => {
    const album = usePictures(9);
    return { album, ...useNoteDraft(7, album) };
  });
  await flushPromises();
  return { ...result, leave: () => app.unmount() };
}

async function pass(ms: number): Promise<void> {
  await vi.advanceTimersByTimeAsync(ms);
  await flushPromises();
}

test("what is written is saved after a pause, once, and a change names what it changes", async () => {
  const there = server([]);
  const page = await visit();
  page.draft.text = "汤";
  await pass(1_000);
  page.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  expect(page.sync.state.value).toBe("everywhere");
  page.draft.text = "汤鲜面滑";
  await flushPromises();
  expect(page.sync.state.value).toBe("here");
  await pass(PAUSE_MS);
  expect(there.saves.map(({ revision, text }) => [revision, text])).toEqual([
    [0, "汤鲜"],
    [1, "汤鲜面滑"],
  ]);
  await pass(LATER_MS);
  expect(there.saves).toHaveLength(2);
});

test("an empty page saves nothing", async () => {
  const there = server([]);
  const page = await visit();
  page.draft.shop = { id: 5, name: "面馆" };
  await pass(LATER_MS);
  expect(there.saves).toEqual([]);
});

test("without the server the draft stays here, and is saved once it can be reached", async () => {
  const there = server([]);
  const page = await visit();
  there.refuse = { status: 503, body: { success: false, code: "unavailable", errorMsg: "稍后再试" } };
  page.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  expect(page.sync.state.value).toBe("here");
  there.refuse = undefined;
  await pass(LATER_MS);
  expect(page.sync.state.value).toBe("everywhere");
  expect(there.saves).toHaveLength(2);
});

test("what another device wrote takes the page if nothing was written here since", async () => {
  const there = server([]);
  const first = await visit();
  first.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  first.leave();
  await flushPromises();
  const saved = only(there.drafts);
  there.drafts = [{ ...saved, revision: 2, content: { ...saved.content, text: "汤鲜面滑" } }];
  const second = await visit();
  expect(second.draft.text).toBe("汤鲜面滑");
  expect(second.sync.theirs.value).toBeNull();
  await pass(LATER_MS);
  expect(there.saves).toHaveLength(1);
});

test.each(["takeTheirs", "keepMine"] as const)("of two changes the author keeps one: %s", async (choice) => {
  const there = server([]);
  const page = await visit();
  page.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  const saved = only(there.drafts);
  there.drafts = [{ ...saved, revision: 2, content: { ...saved.content, text: "别处的" } }];
  there.refuse = refusal("note_draft_changed", "在别的设备上改过");
  page.draft.text = "这里的";
  await pass(PAUSE_MS);
  expect(page.sync.theirs.value?.content.text).toBe("别处的");
  page.draft.text = "这里的，还在写";
  await pass(LATER_MS);
  expect(there.saves).toHaveLength(2);

  there.refuse = undefined;
  page.sync[choice]();
  await pass(PAUSE_MS);
  expect(page.sync.theirs.value).toBeNull();
  if (choice === "takeTheirs") expect(page.draft.text).toBe("别处的");
  else expect(there.saves.at(-1)).toMatchObject({ revision: 2, text: "这里的，还在写" });
});

test("who goes on with what was deleted elsewhere keeps it as a new draft", async () => {
  const there = server([]);
  const page = await visit();
  page.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  const before = page.key.value;
  there.refuse = refusal("note_draft_gone", "已删除");
  page.draft.text = "汤鲜面滑";
  await vi.advanceTimersByTimeAsync(2_000);
  there.refuse = undefined;
  await pass(PAUSE_MS);
  expect(page.key.value).not.toBe(before);
  expect(there.saves.at(-1)).toMatchObject({ key: page.key.value, revision: 0, text: "汤鲜面滑" });
});

test("what was deleted or published elsewhere is gone here, unless it was changed", async () => {
  const there = server([]);
  const first = await visit();
  first.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  first.leave();
  await flushPromises();
  there.drafts = [];
  const second = await visit();
  expect(second.draft.text).toBe("");
  expect(second.restored.value).toBe(false);
});

test("a draft that is a note already is not saved again", async () => {
  const there = server([]);
  const page = await visit();
  there.refuse = refusal("note_already_published", "已发布", { id: 9 });
  page.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  page.draft.text = "汤鲜面滑";
  await pass(LATER_MS);
  expect(page.sync.state.value).toBe("published");
  expect(there.saves).toHaveLength(1);
});

test("another draft takes the page after this one is saved, and a blank one too", async () => {
  const there = server([read("other", 3, "旧的")]);
  const page = await visit();
  page.draft.text = "新的";
  const other = only(page.sync.others.value);
  expect(await page.sync.open(other)).toBe(true);
  expect(page.draft.text).toBe("旧的");
  expect(page.key.value).toBe("other");
  expect(page.sync.others.value.map(({ content }) => content.text)).toEqual(["新的"]);
  expect(await page.sync.open(null)).toBe(true);
  expect(page.draft.text).toBe("");
  expect(page.sync.others.value).toHaveLength(2);
  expect(there.saves).toHaveLength(1);
});

test("what cannot be saved stays on the page", async () => {
  const there = server([read("other", 3, "旧的")]);
  const page = await visit();
  there.refuse = refusal("note_draft_limit", "最多10篇");
  page.draft.text = "新的";
  expect(await page.sync.open(only(page.sync.others.value))).toBe(false);
  expect(page.draft.text).toBe("新的");
  expect(page.sync.state.value).toBe("full");
});

test("starting over deletes the draft everywhere, and publishing stops it", async () => {
  const there = server([]);
  const page = await visit();
  page.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  const saved = only(there.drafts);
  await page.startOver();
  expect(there.deleted).toEqual([saved.key]);
  expect(page.draft.text).toBe("");
  page.draft.text = "再来";
  await flushPromises();
  page.finish();
  await pass(LATER_MS);
  expect(there.saves).toHaveLength(1);
});

test("a reply that was lost is no other device", async () => {
  const there = server([]);
  const page = await visit();
  there.lose = true;
  page.draft.text = "汤";
  await pass(PAUSE_MS);
  there.lose = false;
  there.refuse = refusal("note_draft_changed", "在别的设备上改过");
  page.draft.text = "汤鲜";
  await vi.advanceTimersByTimeAsync(2_000);
  there.refuse = undefined;
  await pass(PAUSE_MS);
  expect(page.sync.theirs.value).toBeNull();
  expect(there.drafts[0]?.content.text).toBe("汤鲜");
});

test("a list that comes late takes nothing off the page", async () => {
  const there = server([]);
  let release = () => {};
  there.hold = new Promise((resolve) => (release = resolve));
  const page = await visit();
  page.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  expect(page.sync.revision.value).toBe(1);
  release();
  await flushPromises();
  expect(page.draft.text).toBe("汤鲜");
});

test("what another device wrote meanwhile is not published unseen, nor thrown away", async () => {
  const there = server([]);
  const page = await visit();
  page.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  const saved = only(there.drafts);
  there.drafts = [{ ...saved, revision: 9, content: { ...saved.content, text: "汤鲜面滑" } }];
  expect(await page.sync.settle()).toBe(false);
  expect(page.draft.text).toBe("汤鲜面滑");
  expect(await page.sync.settle()).toBe(true);
});

test("a draft whose publication has no reply stays in this browser", async () => {
  const there = server([]);
  const first = await visit();
  first.draft.text = "汤鲜";
  expect(await first.sync.settle()).toBe(true);
  await flushPromises();
  there.drafts = [];
  there.refuse = refusal("note_already_published", "已发布", { id: 9 });
  first.leave();
  const second = await visit();
  await pass(PAUSE_MS);
  expect(second.draft.text).toBe("汤鲜");
  expect(second.sync.state.value).toBe("published");
});

test("what was saved as the page was reloaded is no other device", async () => {
  const there = server([]);
  const first = await visit();
  there.lose = true;
  first.draft.text = "汤鲜";
  await pass(PAUSE_MS);
  first.leave();
  there.lose = false;
  const second = await visit();
  expect(second.sync.theirs.value).toBeNull();
  expect(second.sync.revision.value).toBe(1);
  expect(await second.sync.settle()).toBe(true);
});
