import { describe, expect, test } from "vitest";
import type { BalanceEntry } from "./api";
import { byDay } from "./days";

function entry(id: number, createTime: string): BalanceEntry {
  return { id, createTime, kind: "credit", amount: 1, balanceAfter: id };
}

describe("the days of a statement", () => {
  test("entries of one day are together, and the order stays", () => {
    const entries = [
      entry(4, "2026-11-19T00:00:00"),
      entry(3, "2026-11-18T23:59:59"),
      entry(2, "2026-11-18T08:00:00"),
      entry(1, "2025-11-18T08:00:00"),
    ];
    const days = byDay(entries).map(({ day, entries: those }) => [day, ...those.map(({ id }) => id)]);
    expect(days).toEqual([["2026-11-19", 4], ["2026-11-18", 3, 2], ["2025-11-18", 1]]);
  });

  test("a day that goes on after the next page is one day", () => {
    const first = [entry(3, "2026-11-19T10:00:00")];
    const second = [entry(2, "2026-11-19T09:00:00"), entry(1, "2026-11-18T09:00:00")];
    expect(byDay([...first, ...second]).map(({ day }) => day)).toEqual(["2026-11-19", "2026-11-18"]);
  });

  test("nothing has no day", () => {
    expect(byDay([])).toEqual([]);
  });
});
