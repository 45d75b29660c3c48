import { describe, expect, test } from "vitest";
import { minuteOfDay, openState } from "./openingHours";

const at = (clock: string) => {
  const [hour = 0, minute = 0] = clock.split(":").map(Number);
  return hour * 60 + minute;
};

describe("open now", () => {
  test.each([
    ["10:00-22:00", "09:59", { open: false, from: "10:00" }],
    ["10:00-22:00", "10:00", { open: true, until: "22:00" }],
    ["10:00-22:00", "21:59", { open: true, until: "22:00" }],
    ["10:00-22:00", "22:00", { open: false, from: "10:00" }],
    ["11:00-02:00", "01:59", { open: true, until: "02:00" }],
    ["11:00-02:00", "02:00", { open: false, from: "11:00" }],
    ["11:00-02:00", "23:00", { open: true, until: "02:00" }],
    ["11:00-14:00,17:00-21:30", "15:00", { open: false, from: "17:00" }],
    ["11:00-14:00,17:00-21:30", "21:30", { open: false, from: "11:00" }],
    ["17:00-24:00", "23:59", { open: true, until: "00:00" }],
    ["00:00-24:00", "03:00", { open: true, until: null }],
    ["9:00-18:00", "12:00", { open: true, until: "18:00" }],
  ])("%s at %s", (hours, clock, expected) => {
    expect(openState(hours, at(clock))).toEqual(expected);
  });

  test.each([[undefined], [""], ["all day"], ["10:00-22:00,later"], ["25:00-26:00"], ["10:75-22:00"]])(
    "%j is ignored",
    (hours) => {
      expect(openState(hours, 600)).toBeUndefined();
    },
  );
});

test("the minute of the day is the site's, not the visitor's", () => {
  const midnightUtc = Date.UTC(2026, 10, 15);
  expect(minuteOfDay(midnightUtc, 8 * 3600)).toBe(8 * 60);
  expect(minuteOfDay(midnightUtc, -5 * 3600)).toBe(19 * 60);
});
