import { beforeEach, expect, test, vi } from "vitest";
import { deleteDraft, saveDraft, readDraft, type Draft } from "./draft";

const DRAFT: Draft = {
  key: "5eed",
  revision: 2,
  unsaved: false,
  title: "好面",
  text: "汤鲜",
  stars: 4,
  ratings: { main: 5, surroundings: null, service: 3 },
  dishes: ["片儿川"],
  shop: { id: 5, name: "面馆", typeId: 1 },
  pictures: ["/blogs/1/2/a.jpg"],
  mentions: [{ userId: 3, name: "小满" }],
};

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
  saveDraft(7, { ...DRAFT, title: "", text: " ", stars: null, dishes: [], pictures: [] });
  expect(readDraft(7)).toBeNull();
});

test.each(["{", "null", "42", '{"title":1}', '{"title":"","text":"","stars":null,"shop":{},"pictures":[]}'])(
  "nonsense in the storage is no draft: %s",
  (kept) => {
    localStorage.setItem("tandian.draft.7", kept);
    expect(readDraft(7)).toBeNull();
  },
);

test("a draft of an earlier version gets a key, so that publishing it twice makes one note, and is not on the server", () => {
  localStorage.setItem("tandian.draft.7", JSON.stringify({ ...DRAFT, key: undefined }));
  expect(readDraft(7)?.key).toMatch(/^[0-9a-f]{32}$/);
  localStorage.setItem("tandian.draft.7", JSON.stringify({ ...DRAFT, revision: undefined, unsaved: undefined }));
  expect(readDraft(7)).toMatchObject({ revision: 0, unsaved: true });
  localStorage.setItem("tandian.draft.7", JSON.stringify({ ...DRAFT, mentions: undefined }));
  expect(readDraft(7)?.mentions).toEqual([]);
  localStorage.setItem("tandian.draft.7", JSON.stringify({ ...DRAFT, mentions: [1, { userId: 3 }] }));
  expect(readDraft(7)?.mentions).toEqual([]);
});

test("a draft of an earlier version, or a spoilt one, has no ratings and no dishes", () => {
  localStorage.setItem("tandian.draft.7", JSON.stringify({ ...DRAFT, ratings: undefined, dishes: undefined }));
  expect(readDraft(7)).toMatchObject({ title: "好面", ratings: {}, dishes: [] });
  localStorage.setItem("tandian.draft.7", JSON.stringify({ ...DRAFT, ratings: { main: "x" }, dishes: [1] }));
  expect(readDraft(7)).toMatchObject({ ratings: { main: null }, dishes: [] });
});

test("a storage that is full breaks nothing", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  expect(() => saveDraft(7, DRAFT)).not.toThrow();
});
