import { expect, test } from "vitest";
import { salePhase, soldPercent } from "./salePhase";

const TERMS = { stock: 3, beginAtMs: 1000, endAtMs: 2000 };

test.each([
  [TERMS, 999, "waiting"],
  [TERMS, 1000, "open"],
  [TERMS, 1999, "open"],
  [TERMS, 2000, "ended"],
  [{ ...TERMS, stock: 0 }, 999, "waiting"],
  [{ ...TERMS, stock: 0 }, 1000, "sold_out"],
  [{ ...TERMS, stock: 0 }, 2000, "ended"],
])("a sale with %j is, at %d, %s", (terms, nowMs, phase) => {
  expect(salePhase(terms, nowMs)).toBe(phase);
});

test.each([
  [100, 100, 0],
  [999, 1000, 1],
  [50, 100, 50],
  [1, 1000, 99],
  [0, 100, 100],
  [120, 100, 0],
  [0, 0, 100],
])("of a sale with %d of %d left, %d percent is gone", (stock, total, percent) => {
  expect(soldPercent(stock, total)).toBe(percent);
});
