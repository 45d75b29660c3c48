import { beforeEach, expect, test, vi } from "vitest";
import { useSearchHistory } from "./searchHistory";

beforeEach(() => localStorage.clear());

test("the newest comes first, once, and is there after a restart", () => {
  const { add } = useSearchHistory();
  for (const text of ["火锅", "咖啡", "火锅", ""]) add(text);
  expect(useSearchHistory().texts.value).toEqual(["火锅", "咖啡"]);
});

test("no more than ten are kept", () => {
  const { add, texts } = useSearchHistory();
  for (let n = 0; n < 15; n += 1) add(`${n}`);
  expect(texts.value).toHaveLength(10);
  expect(texts.value[0]).toBe("14");
});

test("one is removed, and all of them", () => {
  const { add, remove, clear, texts } = useSearchHistory();
  for (const text of ["火锅", "咖啡", "面"]) add(text);
  remove("咖啡");
  expect(texts.value).toEqual(["面", "火锅"]);
  clear();
  expect(texts.value).toEqual([]);
  expect(localStorage.getItem("tandian.searches")).toBeNull();
});

test("what is stored may be anything", () => {
  for (const stored of ["{", "7", '["面", 7]']) {
    localStorage.setItem("tandian.searches", stored);
    expect(useSearchHistory().texts.value.every((text) => typeof text === "string")).toBe(true);
  }
});

test("without storage it lasts as long as the page", () => {
  vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
    throw new DOMException("blocked");
  });
  const { add, texts } = useSearchHistory();
  add("面");
  expect(texts.value).toEqual(["面"]);
  vi.restoreAllMocks();
});
