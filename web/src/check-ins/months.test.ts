import { expect, test } from "vitest";
import { dayIn, isFirstMonth, monthAfter, monthBefore, monthOf, weeksOf, weekUpTo, yearMonth } from "./months";

test("months follow each other over the turn of the year", () => {
  expect(monthBefore({ year: 2026, month: 1 })).toEqual({ year: 2025, month: 12 });
  expect(monthAfter({ year: 2025, month: 12 })).toEqual({ year: 2026, month: 1 });
  expect(monthBefore({ year: 2026, month: 11 })).toEqual({ year: 2026, month: 10 });
});

test("a month and its days are written as the server reads them", () => {
  expect(yearMonth(monthOf("2026-03-09"))).toBe("202603");
  expect(dayIn({ year: 2026, month: 3 }, 9)).toBe("2026-03-09");
});

test.each([
  ["a month that begins on Sunday", { year: 2026, month: 11 }, [null, null, null, null, null, null, 1], 30],
  ["a month that begins on Monday", { year: 2026, month: 6 }, [1, 2, 3, 4, 5, 6, 7], 30],
  ["a leap February", { year: 2028, month: 2 }, [null, 1, 2, 3, 4, 5, 6], 29],
])("%s is laid out from Monday", (_, month, firstWeek, length) => {
  const weeks = weeksOf(month);
  expect(weeks[0]).toEqual(firstWeek);
  expect(weeks.every((week) => week.length === 7)).toBe(true);
  expect(weeks.flat().filter((day) => day !== null)).toEqual(Array.from({ length }, (_, at) => at + 1));
});

test("the week up to a day reaches into the month before", () => {
  expect(weekUpTo("2026-03-02")).toEqual([
    "2026-02-24",
    "2026-02-25",
    "2026-02-26",
    "2026-02-27",
    "2026-02-28",
    "2026-03-01",
    "2026-03-02",
  ]);
});

test("there is a first month", () => {
  expect(isFirstMonth({ year: 2022, month: 1 })).toBe(true);
  expect(isFirstMonth({ year: 2022, month: 2 })).toBe(false);
});
