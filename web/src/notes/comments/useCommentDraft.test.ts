import { beforeEach, expect, test } from "vitest";
import { nextTick } from "vue";
import { useSessionStore } from "@/account/sessionStore";
import { withSetup } from "@/shared/testing";
import { readCommentDraft, saveCommentDraft } from "./commentDrafts";
import { useCommentDraft } from "./useCommentDraft";

const NOTE = 3;
const ME = { id: 7, nickName: "小鱼", icon: "", roles: [], anonymous: false };

beforeEach(() => localStorage.clear());

async function writing() {
  const { result } = await withSetup(() => ({ draft: useCommentDraft(NOTE), session: useSessionStore() }));
  return { ...result.draft, session: result.session };
}

test("what a visitor types goes with them when they sign in, and nothing of it stays behind", async () => {
  const { text, session } = await writing();
  text.value = "汤很鲜";
  await nextTick();
  expect(readCommentDraft(undefined, NOTE)).toBe("汤很鲜");
  session.me = ME;
  await nextTick();
  expect(text.value).toBe("汤很鲜");
  expect(readCommentDraft(ME.id, NOTE)).toBe("汤很鲜");
  expect(readCommentDraft(undefined, NOTE)).toBe("");
});

test("what a visitor left is claimed by who signs in, and discarding it is for good", async () => {
  saveCommentDraft(undefined, NOTE, "汤很鲜");
  const { text, restored, session } = await writing();
  session.me = ME;
  await nextTick();
  expect([text.value, restored.value]).toEqual(["汤很鲜", true]);
  text.value = "";
  await nextTick();
  expect(restored.value).toBe(false);
  expect((await writing()).text.value).toBe("");
  expect(localStorage).toHaveLength(0);
});

test("a text leaves the screen with its author, and returns with them alone", async () => {
  const { text, session } = await writing();
  session.me = ME;
  await nextTick();
  text.value = "汤很鲜";
  await nextTick();
  session.me = null;
  await nextTick();
  expect(text.value).toBe("");
  expect(readCommentDraft(undefined, NOTE)).toBe("");
  session.me = { ...ME, id: 8 };
  await nextTick();
  expect(text.value).toBe("");
  session.me = ME;
  await nextTick();
  expect(text.value).toBe("汤很鲜");
});

test("a draft of one's own is not overwritten by what a visitor left", async () => {
  saveCommentDraft(undefined, NOTE, "面很硬");
  saveCommentDraft(ME.id, NOTE, "汤很鲜");
  const { text, session } = await writing();
  session.me = ME;
  await nextTick();
  expect(text.value).toBe("汤很鲜");
  expect(readCommentDraft(ME.id, NOTE)).toBe("汤很鲜");
});
