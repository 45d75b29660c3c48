import { expect, test } from "vitest";
import { contentOf, linesOf } from "@/notes/noteText";
import { noteFieldOf, noteOf, noteProblems, type NoteForm } from "./noteForm";

const FORM: NoteForm = {
  title: " 一碗好面 ",
  text: "汤鲜\n面滑",
  pictures: ["/blogs/1/2/a.jpg"],
  shopId: 5,
  stars: 4,
  ratings: {},
  dishes: [],
  mentions: [],
};

test("a note is sent trimmed, its lines as any page shows them", () => {
  expect(noteOf(FORM)).toEqual({
    title: "一碗好面",
    content: "汤鲜<br>面滑",
    images: "/blogs/1/2/a.jpg",
    shopId: 5,
    score: 4,
  });
  expect(noteOf({ ...FORM, stars: null })).not.toHaveProperty("score");
});

test("only those who are named in the text are mentioned", () => {
  const mentions = [
    { userId: 3, name: "小满" },
    { userId: 4, name: "阿福" },
  ];
  expect(noteOf({ ...FORM, text: "和 @小满 去", mentions })).toMatchObject({ mentions: [3] });
  expect(noteOf({ ...FORM, mentions })).not.toHaveProperty("mentions");
});

test("aspects are sent with stars only, and those that are rated", () => {
  const rated = { ...FORM, ratings: { main: 5, surroundings: null } };
  expect(noteOf(rated)).toMatchObject({ score: 4, ratings: { main: 5 } });
  expect(noteOf({ ...rated, stars: null })).not.toHaveProperty("ratings");
  expect(noteOf({ ...FORM, ratings: { main: null } })).not.toHaveProperty("ratings");
});

test("dishes are sent with stars or without", () => {
  expect(noteOf({ ...FORM, stars: null, dishes: ["片儿川"] })).toMatchObject({ dishes: ["片儿川"] });
});

test("lines come back as they were written", () => {
  expect(linesOf(contentOf("一\r\n二\n\n三 "))).toBe("一\n二\n\n三");
});

test("a line break of an adopted note ends a line in every spelling", () => {
  expect(linesOf("一<br/>二<BR />三<br>四")).toBe("一\n二\n三\n四");
});

test("everything but the stars is needed", () => {
  expect(noteProblems(FORM)).toEqual({});
  const blank = { title: " ", text: "\n", pictures: [], shopId: null, stars: null, ratings: {}, dishes: [], mentions: [] };
  expect(Object.keys(noteProblems(blank))).toEqual(["pictures", "shop", "title", "text"]);
});

test("texts are measured as they are sent", () => {
  expect(noteProblems({ ...FORM, title: "字".repeat(255) })).toEqual({});
  expect(noteProblems({ ...FORM, title: "字".repeat(256) })).toHaveProperty("title");
  expect(noteProblems({ ...FORM, text: "🍜".repeat(2048) })).toEqual({});
  expect(noteProblems({ ...FORM, text: `${"字".repeat(1000)}\n${"字".repeat(1045)}` })).toHaveProperty("text");
});

test("a refusal is shown at the field it is about", () => {
  expect(noteFieldOf("note_title_invalid")).toBe("title");
  expect(noteFieldOf("busy")).toBeUndefined();
});
