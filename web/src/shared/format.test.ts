import { expect, test } from "vitest";
import {
  dayOf,
  formatCents,
  formatCount,
  formatDay,
  formatDistance,
  formatMoment,
  formatRelativeTime,
  formatMonth,
  formatScore,
  formatSecsLeft,
  formatWallClock,
  initialsOf,
  partOfDay,
  splitTimeLeft,
  weekdayNames,
} from "./format";

const NOW_MS = Date.UTC(2026, 10, 15, 12);
const MINUTE_MS = 60_000;

test("moments within the minute, and those of a clock ahead of ours, are just now", () => {
  expect(formatRelativeTime(NOW_MS - 59_000, NOW_MS, "en")).toBeNull();
  expect(formatRelativeTime(NOW_MS + 5_000, NOW_MS, "en")).toBeNull();
});

test("recent times are relative, in the given language", () => {
  expect(formatRelativeTime(NOW_MS - 3 * MINUTE_MS, NOW_MS, "en")).toBe("3 minutes ago");
  expect(formatRelativeTime(NOW_MS - 3 * MINUTE_MS, NOW_MS, "zh-CN")).toBe("3分钟前");
  expect(formatRelativeTime(NOW_MS - 60 * MINUTE_MS, NOW_MS, "en")).toBe("1 hour ago");
  expect(formatRelativeTime(NOW_MS - 25 * 60 * MINUTE_MS, NOW_MS, "en")).toBe("yesterday");
});

test("a week and more is a date", () => {
  expect(formatRelativeTime(NOW_MS - 7 * 24 * 60 * MINUTE_MS, NOW_MS, "en")).toContain("2026");
});

test("a calendar day is the same day in every zone", () => {
  expect(formatDay("1998-05-20", "zh-CN")).toBe("1998年5月20日");
  expect(formatDay("1998-05-20", "en")).toBe("May 20, 1998");
  expect(formatDay("someday", "en")).toBe("someday");
});

test("today is the person's own day", () => {
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
});

test.each([
  [0, "night"],
  [4, "night"],
  [5, "morning"],
  [12, "afternoon"],
  [18, "evening"],
  [23, "evening"],
])("at %i o'clock it is %s", (hour, part) => {
  expect(partOfDay(hour)).toBe(part);
});

test.each([
  ["小满", "小"],
  ["ada lovelace", "AL"],
  ["user_x9", "UX"],
  ["🍜面", "🍜"],
  ["  ", "?"],
  ["", "?"],
])("%j is shown as %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

test("large counts are rounded, in the words of the language", () => {
  expect(formatCount(0, "en")).toBe("0");
  expect(formatCount(9_999, "zh-CN")).toBe("9,999");
  expect(formatCount(12_345, "zh-CN")).toBe("1.2万");
  expect(formatCount(12_345, "en")).toBe("12.3K");
});

test("a month is named in the given language", () => {
  expect(formatMonth({ year: 2026, month: 11 }, "zh-CN")).toBe("2026年11月");
  expect(formatMonth({ year: 2026, month: 11 }, "en")).toBe("November 2026");
});

test("the week begins on Monday", () => {
  expect(weekdayNames("zh-CN").map(({ short }) => short)).toEqual(["一", "二", "三", "四", "五", "六", "日"]);
  expect(weekdayNames("en")[0]).toEqual({ short: "M", long: "Monday" });
});

test.each([
  [0, "¥0", "¥0"],
  [1000, "¥10", "¥10"],
  [990, "¥9.9", "¥9.90"],
  [1005, "¥10.05", "¥10.05"],
  [1_234_500, "¥12,345", "¥12,345"],
])("%d cents are written as %s in Chinese and %s in English", (cents, chinese, english) => {
  expect(formatCents(cents, "zh-CN")).toBe(chinese);
  expect(formatCents(cents, "en")).toBe(english);
});

test.each([
  [-5, 0, "00:00:00"],
  [1, 0, "00:00:01"],
  [61_000, 0, "00:01:01"],
  [86_399_001, 1, "00:00:00"],
  [90_061_000, 1, "01:01:01"],
])("%d ms are %d days and %s", (leftMs, days, clock) => {
  expect(splitTimeLeft(leftMs)).toEqual({ days, clock });
});

test.each([
  [3, "10米", "10 m"],
  [994, "990米", "990 m"],
  [996, "1公里", "1 km"],
  [1240, "1.2公里", "1.2 km"],
  [12_400, "12公里", "12 km"],
])("%d metres are formatted for reading", (metres, chinese, english) => {
  expect([formatDistance(metres, "zh-CN"), formatDistance(metres, "en")]).toEqual([chinese, english]);
});

test("a score is formatted in stars", () => {
  expect([formatScore(43, "zh-CN"), formatScore(50, "en")]).toEqual(["4.3", "5.0"]);
});

test("a time without a zone is the same in every zone", () => {
  expect(formatWallClock("2026-10-31T03:01:39", "zh-CN")).toBe("2026年10月31日 03:01");
  expect(formatWallClock("soon", "en")).toBe("soon");
});

test("a moment to come names its day when it is not today", () => {
  const at = (day: number, hour: number) => new Date(2026, 10, day, hour).getTime();
  const noon = at(15, 12);
  expect(formatMoment(at(15, 20), noon, "zh-CN")).toBe("20:00");
  expect(formatMoment(at(16, 0), noon, "zh-CN")).toBe("明天 00:00");
  expect(formatMoment(at(16, 20), noon, "en")).toMatch(/^tomorrow 8:00\sPM$/);
  expect(formatMoment(at(20, 20), noon, "en")).toMatch(/^Nov 20, 8:00\sPM$/);
});

test.each([
  [0, "0:00"],
  [65, "1:05"],
  [600, "10:00"],
  [3661, "1:01:01"],
])("%d seconds left are %s", (secs, clock) => {
  expect(formatSecsLeft(secs)).toBe(clock);
});
