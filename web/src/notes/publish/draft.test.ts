import { beforeEach, expect, test, vi } from "vitest";
import { deleteDraft, saveDraft, readDraft, type Draft } from "./draft";

const DRAFT: Draft = { key: "5eed", title: "好面", text: "汤鲜", stars: 4, shop: { id: 5, name: "面馆" }, pictures: ["/blogs/1/2/a.jpg"] };

beforeEach(() => localStorage.clear());

test("a draft comes back to its author, and to nobody else", () => {
  saveDraft(7, DRAFT);
  expect(readDraft(7)).toEqual(DRAFT);
  expect(readDraft(8)).toBeNull();
});

test("a published or emptied draft is gone", () => {
  saveDraft(7, DRAFT);
  deleteDraft(7);
  expect(readDraft(7)).toBeNull();
  saveDraft(7, DRAFT);
  saveDraft(7, { ...DRAFT, title: "", text: " ", stars: null, pictures: [] });
  expect(readDraft(7)).toBeNull();
});

test.each(["{", "null", "42", '{"title":1}', '{"title":"","text":"","stars":null,"shop":{},"pictures":[]}'])(
  "nonsense in the storage is no draft: %s",
  (kept) => {
    localStorage.setItem("tandian.draft.7", kept);
    expect(readDraft(7)).toBeNull();
  },
);

test("a draft of an earlier version gets a key, so that publishing it twice makes one note", () => {
  localStorage.setItem("tandian.draft.7", JSON.stringify({ ...DRAFT, key: undefined }));
  expect(readDraft(7)?.key).toMatch(/^[0-9a-f]{32}$/);
});

test("a storage that is full breaks nothing", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(() => saveDraft(7, DRAFT)).not.toThrow();
});
