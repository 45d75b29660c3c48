import { expect, test } from "vitest";
import { numberIn, oneOf, textIn } from "./queryValue";

test("an unknown value is the first that is known", () => {
  const known = ["distance", "score"] as const;
  expect(oneOf({ sort: "score" }, "sort", known)).toBe("score");
  expect(oneOf({ sort: "nonsense" }, "sort", known)).toBe("distance");
  expect(oneOf({ sort: ["score", "score"] }, "sort", known)).toBe("distance");
  expect(oneOf({}, "sort", known)).toBe("distance");
});

test.each([
  ["12", 12],
  ["0", undefined],
  ["-1", undefined],
  ["1e3", undefined],
  ["", undefined],
  [undefined, undefined],
  [["1"], undefined],
])("%j as a number is %j", (text, number) => {
  expect(numberIn(text)).toBe(number);
});

test("what is not one text is none", () => {
  expect([textIn({ q: "面" }, "q"), textIn({ q: null }, "q"), textIn({}, "q")]).toEqual(["面", "", ""]);
});
