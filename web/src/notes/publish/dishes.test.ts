import { expect, test } from "vitest";
import { dishName, isAmong, isDish } from "./dishes";

test("a name is one line of usual spaces", () => {
  expect(dishName("  牛肉　 面 ")).toBe("牛肉 面");
});

test("a name has a letter or a digit, and fits", () => {
  expect(["面", "7up", "🔥面"].map(isDish)).toEqual([true, true, true]);
  expect(["", "！", "🔥", "面".repeat(21)].map(isDish)).toEqual([false, false, false, false]);
  expect(isDish("面".repeat(20))).toBe(true);
});

test("case, width and punctuation make no other dish", () => {
  expect(isAmong("ｌａｔｔｅ！", ["Latte"])).toBe(true);
  expect(isAmong("拿铁", ["Latte"])).toBe(false);
});
