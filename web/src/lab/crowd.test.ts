import { expect, test } from "vitest";
import type { LabCrowdRun } from "./api";
import { crowdCommand, crowdProgress, isGoingOn } from "./crowd";

const RUN: LabCrowdRun = { version: "no-lock", buyers: 100, stock: 5, state: "running", served: 50 };

test("a crowd goes on until it is done, cancelled, failed or too slow", () => {
  expect(isGoingOn(RUN)).toBe(true);
  expect(isGoingOn({ ...RUN, state: "starting" })).toBe(true);
  for (const state of ["done", "cancelled", "failed", "timed_out"] as const) expect(isGoingOn({ ...RUN, state }), state).toBe(false);
});

test("progress counts both clicks of everybody", () => {
  expect(crowdProgress(RUN)).toBe(25);
  expect(crowdProgress({ ...RUN, served: 500 })).toBe(100);
});

test("the command names the version and its crowd", () => {
  expect(crowdCommand("set-nx", 500, 50)).toBe("cargo run --release -p lab -- crowd set-nx --buyers 500 --stock 50");
});
