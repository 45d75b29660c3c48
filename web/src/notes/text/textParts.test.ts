import { expect, test } from "vitest";
import { mentionedIn, partsOf, type Mention } from "./textParts";

const people = (...names: string[]): Mention[] => names.map((name, at) => ({ userId: at + 1, name }));
/** The parts, with whom or what they link to. */
const shown = (text: string, mentions: Mention[] = [], topics: string[] = []) =>
  partsOf(text, mentions, topics).map((part) => [part.text, part.userId ?? part.topic ?? null]);
const found = (text: string, ...names: string[]) => mentionedIn(text, people(...names)).map(({ userId }) => userId);

test("a text without people and topics is one part, whatever is in it", () => {
  expect(shown("@小满 #西湖# <b>&amp;</b>")).toEqual([["@小满 #西湖# <b>&amp;</b>", null]]);
  expect(shown("")).toEqual([]);
});

test("people and topics are links, and the parts together are the text", () => {
  const text = "和@小满 天星 去#西湖夜宵#，#KTV 也行";
  const parts = shown(text, people("小满", "小满 天星"), ["西湖夜宵", "ktv"]);
  expect(parts).toEqual([
    ["和", null],
    ["@小满 天星", 2],
    [" 去", null],
    ["#西湖夜宵#", "西湖夜宵"],
    ["，", null],
    ["#KTV", "KTV"],
    [" 也行", null],
  ]);
  expect(parts.map(([part]) => part).join("")).toBe(text);
});

// The same cases as those of the server, in `domain/mention.rs`.
test("the longest name of the list is meant", () => {
  const names = ["小满", "小满 天星", "Ann", "Anna"];
  expect(found("@小满 天星 一起去", ...names)).toEqual([2]);
  expect(found("@小满 和 @小满 天星", ...names)).toEqual([1, 2]);
  expect(found("@小满去不去", ...names)).toEqual([1]);
  expect(found("@Anna, @Ann!", ...names)).toEqual([3, 4]);
  expect(found("@Annabel", ...names)).toEqual([]);
  expect(found("＠Ann", ...names)).toEqual([3]);
  for (const text of ["小满", "@ 小满", "me@小满", "@", "@@", "", "@小"]) expect(found(text, "小满", "")).toEqual([]);
});

test("people of one name are told apart by their order", () => {
  expect(found("@小满", "小满", "小满")).toEqual([1]);
  expect(shown("@小满@小满@小满", people("小满", "小满")).map(([, id]) => id)).toEqual([1, 2, 1]);
});

test("a topic is a link where it stands alone", () => {
  expect(shown("#西湖夜宵店", [], ["西湖"])).toEqual([["#西湖夜宵店", null]]);
  expect(shown("C#西湖#", [], ["西湖"])).toEqual([["C#西湖#", null]]);
  expect(shown("#西湖，#西湖夜宵#", [], ["西湖", "西湖夜宵"]).map(([, topic]) => topic)).toEqual(["西湖", null, "西湖夜宵"]);
});
