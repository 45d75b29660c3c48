import { describe, expect, test } from "vitest";
import type { LabRecording, LabStep } from "./api";
import { actorsAfter, cellsAfter, firstHarm, nextLines, positionByKey, storesAfter } from "./playback";

function step(who: string, process: number, what: string, more: Partial<LabStep> = {}): LabStep {
  return { who, process, what, saw: {}, changes: {}, gone: [], harm: [], ...more };
}

const RECORDING: LabRecording = {
  attack: "race",
  verdict: { stock: 1, sold: 2, oversold: 1, duplicates: 0, lost: 0, stranded: 0 },
  begin: { "sql stock": "1" },
  steps: [
    step("A", 1, "stock is read", { saw: { "SELECT stock": "1" }, changes: { "redis lock:sale PX": "1" }, at: { file: "versions/set_nx.rs", line: 4 } }),
    step("attacker", 1, "pause"),
    step("B", 2, "stock is read", { saw: { "SELECT stock": "1" } }),
    step("attacker", 1, "resume"),
    step("A", 1, "ordered", { changes: { "sql stock": "0", "sql order #1": "A" }, gone: ["redis lock:sale PX"] }),
    step("B", 2, "ordered", { changes: { "sql stock": "-1", "sql order #10": "B", "sql order #9": "C" }, harm: ["oversold"] }),
    step("latecomer", 0, "close"),
  ],
};

describe("the stores", () => {
  test("begin with what the sale began with, and add up step by step, forwards and backwards", () => {
    expect(Object.fromEntries(cellsAfter(RECORDING, 0))).toEqual({ "sql stock": "1" });
    expect(Object.fromEntries(cellsAfter(RECORDING, 1))).toEqual({ "sql stock": "1", "redis lock:sale PX": "1" });
    expect(cellsAfter(RECORDING, 5).get("redis lock:sale PX")).toBeUndefined();
    expect(cellsAfter(RECORDING, 1).get("redis lock:sale PX")).toBe("1");
  });

  test("show what the last step did: new, changed with what was, gone", () => {
    const changes = storesAfter(RECORDING, 5).flatMap(({ cells }) => cells.map(({ id, change, was }) => [id, change, was]));
    expect(changes).toEqual([
      ["sql order #1", "new", undefined],
      ["sql stock", "changed", "1"],
      ["redis lock:sale PX", "gone", undefined],
    ]);
    const later = storesAfter(RECORDING, 7).flatMap(({ cells }) => cells.map(({ change }) => change));
    expect(new Set(later)).toEqual(new Set(["none"]));
  });

  test("come with SQL first, and orders by their number", () => {
    const stores = storesAfter(RECORDING, 6);
    expect(stores.map(({ id }) => id)).toEqual(["sql"]);
    expect(stores[0]?.cells.map(({ name }) => name)).toEqual(["order #1", "order #9", "order #10", "stock"]);
  });
});

describe("the processes", () => {
  test("keep what they saw until they read again, and stand where they stopped", () => {
    const [a] = actorsAfter(RECORDING, 1);
    expect(a).toMatchObject({ who: "A", process: 1, state: "running", isActing: true, saw: [["SELECT stock", "1"]] });
    expect(a?.at).toEqual({ file: "versions/set_nx.rs", line: 4 });
    const [later, b] = actorsAfter(RECORDING, 3);
    expect(later).toMatchObject({ who: "A", state: "paused", isActing: false, saw: [["SELECT stock", "1"]] });
    expect(b).toMatchObject({ who: "B", isActing: true });
  });

  test("go on, end with their reply, and are not those who belong to no process", () => {
    expect(actorsAfter(RECORDING, 4)[0]?.state).toBe("running");
    expect(actorsAfter(RECORDING, 5)[0]).toMatchObject({ what: "ordered", state: "done", saw: [] });
    expect(actorsAfter(RECORDING, 7).map(({ who }) => who)).toEqual(["A", "B"]);
  });

  test("that are killed have forgotten everything and stand nowhere", () => {
    const killed = { ...RECORDING, steps: [RECORDING.steps[0] ?? step("A", 1, "x"), step("attacker", 1, "kill")] };
    const [a] = actorsAfter(killed, 2);
    expect(a).toMatchObject({ who: "A", state: "killed", saw: [] });
    expect(a?.at).toBeUndefined();
  });
});

test("what runs next ends with the next step or with the block", () => {
  const code = ["fn buy() {", "    read();", '    steps.step("stock is read").await;', "", "    write();", "    commit();", '    steps.step("b").await;', "    last();", "}"].join("\n");
  expect(nextLines(code, 3)).toEqual({ from: 4, to: 6 });
  expect(nextLines(code, 7)).toEqual({ from: 8, to: 8 });
  expect(nextLines(code, 99)).toBeUndefined();
});

test("the harm is found, and a schedule without harm has none", () => {
  expect(firstHarm(RECORDING)).toBe(6);
  expect(firstHarm({ ...RECORDING, steps: RECORDING.steps.slice(0, 3) })).toBeUndefined();
});

test("arrow keys, Home and End move within the schedule, other keys do not", () => {
  expect(positionByKey("ArrowRight", 3, 7)).toBe(4);
  expect(positionByKey("ArrowRight", 7, 7)).toBe(7);
  expect(positionByKey("ArrowLeft", 0, 7)).toBe(0);
  expect(positionByKey("Home", 5, 7)).toBe(0);
  expect(positionByKey("End", 5, 7)).toBe(7);
  expect(positionByKey("a", 5, 7)).toBeUndefined();
});
