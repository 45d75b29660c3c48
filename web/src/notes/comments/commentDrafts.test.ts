import { beforeEach, expect, test } from "vitest";
import { readCommentDraft, readDraftMentions, saveCommentDraft } from "./commentDrafts";

beforeEach(() => localStorage.clear());

test("a draft is found again by its author, at its note", () => {
  saveCommentDraft(7, 3, "汤很鲜");
  expect(readCommentDraft(7, 3)).toBe("汤很鲜");
  expect(readCommentDraft(7, 4)).toBe("");
  expect(readCommentDraft(8, 3)).toBe("");
  expect(readCommentDraft(undefined, 3)).toBe("");
});

test("whom a draft mentions is kept with it", () => {
  const mentions = [{ userId: 9, name: "小满" }];
  saveCommentDraft(7, 3, "@小满 来", mentions);
  expect(readDraftMentions(7, 3)).toEqual(mentions);
  expect(readDraftMentions(8, 3)).toEqual([]);
  localStorage.setItem("tandian.comments.7", '[[3,"x",[1]]]');
  expect(readDraftMentions(7, 3)).toEqual([]);
});

test("a blank text leaves nothing behind", () => {
  saveCommentDraft(7, 3, "汤");
  saveCommentDraft(7, 3, "  ");
  expect(readCommentDraft(7, 3)).toBe("");
  expect(localStorage).toHaveLength(0);
});

test("only the newest twenty are stored", () => {
  for (let note = 1; note <= 21; note++) saveCommentDraft(7, note, `评论 ${note}`);
  expect(readCommentDraft(7, 1)).toBe("");
  expect(readCommentDraft(7, 2)).toBe("评论 2");
  expect(readCommentDraft(7, 21)).toBe("评论 21");
});

test.each(["not json", "{}", "[1]", '[["3","x"]]'])("a corrupt storage is no draft: %s", (stored) => {
  localStorage.setItem("tandian.comments.7", stored);
  expect(readCommentDraft(7, 3)).toBe("");
});
