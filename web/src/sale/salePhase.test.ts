import { expect, test } from "vitest";
import { buyableFirst, salePhase, soldPercent } from "./salePhase";

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

test("what can be bought leads, and what is sold out or over ends the list", () => {
  const sales = [
    { id: 1, ...TERMS, stock: 0 },
    { id: 2, ...TERMS, endAtMs: 1500 },
    { id: 3, ...TERMS, beginAtMs: 1800 },
    { id: 4, ...TERMS },
    { id: 5, ...TERMS },
  ];
  expect(buyableFirst(sales, 1600).map(({ id }) => id)).toEqual([4, 5, 3, 1, 2]);
});
