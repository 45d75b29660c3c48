import { describe, expect, test } from "vitest";
import type { LabExperiment, LabOutcome, LabVerdict, LabVersion } from "./api";
import { barPercent, findingOf, isRight, linearPercent, outcomesOf, standingOf, standingOfWay, wordsIn, worstOf } from "./findings";

const RIGHT: LabVerdict = { stock: 2, sold: 2, oversold: 0, duplicates: 0, lost: 0, stranded: 0 };
const WORDS = { en: "a lock", "zh-CN": "一把锁" };

function version(verdicts: Record<string, LabVerdict>): LabVersion {
  const findings = Object.entries(verdicts).map(([attack, verdict]) => ({ attack, verdict, schedules: 1, moments: [] }));
  return { id: "x", title: WORDS, why: WORDS, file: "x.rs", code: "", findings };
}

describe("a version", () => {
  test("holds only if no attack did any harm", () => {
    expect(standingOf(version({ race: RIGHT, kill: RIGHT }))).toBe("holds");
    for (const harm of ["oversold", "duplicates", "lost", "stranded"] as const) {
      expect(isRight({ ...RIGHT, [harm]: 1 }), harm).toBe(false);
      expect(standingOf(version({ race: RIGHT, kill: { ...RIGHT, [harm]: 1 } })), harm).toBe("falls");
    }
  });

  test("that was not tried neither holds nor falls", () => {
    expect(standingOf(version({}))).toBe("untried");
  });

  test("is as bad as its worst attack, harm by harm", () => {
    const worst = worstOf(version({ race: { ...RIGHT, oversold: 2 }, kill: { ...RIGHT, oversold: 1, lost: 3 } }));
    expect(worst).toEqual({ oversold: 2, duplicates: 0, lost: 3, stranded: 0 });
  });

  test("is found for one attack at a time", () => {
    const one = version({ race: RIGHT });
    expect(findingOf(one, "race")?.verdict).toEqual(RIGHT);
    expect(findingOf(one, "kill")).toBeUndefined();
  });
});

describe("a way of an experiment", () => {
  const right: LabOutcome = { trial: "race", count: 10, of: 10, isRight: true };
  const wrong: LabOutcome = { trial: "kill", count: 0, of: 10, isRight: false };
  const price: LabOutcome = { trial: "price", count: 100, of: 100 };

  test("falls by one wrong outcome, and by no price", () => {
    expect(standingOfWay([right, price])).toBe("holds");
    expect(standingOfWay([right, wrong, price])).toBe("falls");
    expect(standingOfWay([])).toBe("untried");
  });

  test("is shown beside the others of the same trial, in their order", () => {
    const way = (id: string, outcomes: LabOutcome[]) => ({ id, title: WORDS, why: WORDS, file: "x.rs", code: "", outcomes });
    const experiment: LabExperiment = { id: "x", title: WORDS, what: WORDS, trials: [], ways: [way("a", [right, wrong]), way("b", [wrong])] };
    expect(outcomesOf(experiment, "kill").map(({ way: { id } }) => id)).toEqual(["a", "b"]);
    expect(outcomesOf(experiment, "race").map(({ outcome }) => outcome)).toEqual([right]);
  });
});

test("words come in the language of the page", () => {
  expect(wordsIn(WORDS, "zh-CN")).toBe("一把锁");
  expect(wordsIn(WORDS, "en")).toBe("a lock");
});

test("bars of speeds grow with the logarithm and are never invisible", () => {
  expect(barPercent(1)).toBe(100);
  expect(barPercent(0.1)).toBe(67);
  expect(barPercent(0.0001)).toBe(2);
  expect(barPercent(0)).toBe(2);
});

test("bars of counts are shares of the most", () => {
  expect(linearPercent(50, 200)).toBe(25);
  expect(linearPercent(0, 0)).toBe(0);
});
