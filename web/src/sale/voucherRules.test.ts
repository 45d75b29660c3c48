import { expect, test } from "vitest";
import { rulesOf } from "./voucherRules";

test("rules are separated by lines, or as the original wrote them", () => {
  expect(rulesOf("全场通用\\n无需预约\n\n可无限叠加")).toEqual(["全场通用", "无需预约", "可无限叠加"]);
  expect(rulesOf(undefined)).toEqual([]);
});
