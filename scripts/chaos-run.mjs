// Plays the scenarios of the test binary, one round and one process each, until the time is over, and writes the report:
//   node chaos-run.mjs FOLDER            plays; FOLDER holds the test binary `it`
//   node chaos-run.mjs FOLDER --report   only writes the report of the rounds in FOLDER
// A round that fails is kept with its output; the others go on, and the command fails in the end.
import { spawn, spawnSync, execFileSync } from "node:child_process";
import { appendFileSync, closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus, release, totalmem } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";

const folder = resolve(process.argv[2]);
const rounds = join(folder, "rounds.jsonl");

// What of the test binary is a scenario: tests of the harness itself are not.
const SCENARIOS = [/^chaos::(?!record::|report::|witness::)/, /^order_life::(crowds|kills|races|takeovers)::/];
// Far above what a round takes on a busy machine, so that only a hang reaches it.
const ROUND_LIMIT_MS = 20 * 60_000;
const MINUTES = 60;
// The lines of a failed round's output that the report shows.
const SHOWN_LINES = 12;

let current;
let stopped = false;

if (process.argv[3] === "--report") {
  finish();
} else {
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  await play();
  finish();
}

function stop() {
  stopped = true;
  if (current) kill(current);
}

async function play() {
  const scenarios = list();
  const began = Date.now();
  const turns = number("CHAOS_ROUNDS");
  const until = turns ? Infinity : began + (number("CHAOS_MINUTES") ?? MINUTES) * 60_000;
  const first = number("CHAOS_SEED") ?? Math.floor(Math.random() * 2 ** 31);
  console.log(`${scenarios.length} scenarios, ${turns ? `${turns} rounds each` : `until ${new Date(until).toISOString()}`}, seeds from ${first} on`);
  record({ began, first, scenarios: scenarios.length, settings: settings(), machine: machine() });
  for (let turn = 0; turn < (turns ?? Infinity); turn += 1) {
    for (const scenario of scenarios) {
      const isOver = turn > 0 && Date.now() >= until;
      if (stopped || isOver) return;
      await playRound(scenario, first + turn);
    }
  }
}

function list() {
  const listed = execFileSync(join(folder, "it"), ["--list", "--format", "terse"], { encoding: "utf8" });
  const names = listed.split("\n").filter((line) => line.endsWith(": test")).map((line) => line.slice(0, -": test".length));
  const only = process.env.CHAOS_ONLY ?? "";
  const chosen = names.filter((name) => SCENARIOS.some((pattern) => pattern.test(name)) && name.includes(only));
  if (chosen.length === 0) {
    console.error(`No scenario has ${only} in its name.`);
    process.exit(2);
  }
  return chosen;
}

async function playRound(scenario, seed) {
  const began = Date.now();
  const log = join(folder, `${scenario.replaceAll("::", "-")}-${seed}.log`);
  const events = join(folder, "events.jsonl");
  rmSync(events, { force: true });
  const outcome = await run(scenario, { CHAOS_SEED: String(seed), CHAOS_ROUNDS: "1", CHAOS_RECORD: events }, log);
  if (stopped) return;
  const seconds = Math.round((Date.now() - began) / 100) / 10;
  const happened = existsSync(events) ? parse(events) : [];
  record({ scenario, seed, seconds, outcome, log: outcome === "held" ? undefined : log, events: happened });
  if (outcome === "held") rmSync(log);
  console.log(`${new Date().toISOString().slice(11, 19)}  ${outcome.padEnd(6)} ${scenario}  seed ${seed}  ${seconds} s`);
}

function run(scenario, variables, log) {
  const output = openSync(log, "w");
  const child = spawn(join(folder, "it"), ["--exact", scenario, "--test-threads", "1", "--nocapture"], {
    env: { ...process.env, RUST_BACKTRACE: "1", ...variables },
    stdio: ["ignore", output, output],
    // A group of its own: Ctrl-C reaches the runner alone, which then ends the round.
    detached: true,
  });
  current = child;
  return new Promise((done) => {
    const limit = setTimeout(() => kill(child), ROUND_LIMIT_MS);
    child.on("exit", (code, signal) => {
      clearTimeout(limit);
      closeSync(output);
      current = undefined;
      done(code === 0 ? "held" : signal === "SIGKILL" ? "hung" : "failed");
    });
  });
}

// The services that a round started end with it: each has a guard that waits for the end of the process.
function kill(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

function finish() {
  const [head, ...played] = parse(rounds);
  const report = summarise(head, played);
  writeFileSync(join(folder, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  writeFileSync(join(folder, "report.md"), page(report));
  console.log(closing(report));
  console.log(`report: ${join(folder, "report.md")} and report.json`);
  process.exitCode = report.failures.length > 0 || stopped ? 1 : 0;
}

function summarise(head, played) {
  const scenarios = new Map();
  const totals = { faults: {}, invariants: {}, counts: {} };
  for (const round of played) {
    const scenario = scenarios.get(round.scenario) ?? { name: round.scenario, rounds: 0, failed: 0, seconds: 0, faults: {}, invariants: {}, counts: {} };
    scenarios.set(round.scenario, scenario);
    scenario.rounds += 1;
    scenario.failed += round.outcome === "held" ? 0 : 1;
    scenario.seconds += round.seconds;
    for (const event of round.events) {
      for (const sums of [scenario, totals]) count(sums, event);
    }
  }
  const failures = played.filter((round) => round.outcome !== "held");
  const seeds = played.map((round) => round.seed);
  return {
    began: new Date(head.began).toISOString(),
    seconds: Math.round(played.reduce((sum, round) => sum + round.seconds, 0)),
    rounds: played.length,
    seeds: { first: Math.min(...seeds), last: Math.max(...seeds) },
    settings: head.settings,
    machine: head.machine,
    ...totals,
    scenarios: [...scenarios.values()],
    failures: failures.map((round) => ({
      scenario: round.scenario,
      seed: round.seed,
      outcome: round.outcome,
      log: round.log,
      output: existsSync(round.log) ? shown(readFileSync(round.log, "utf8")) : [],
    })),
  };
}

function count(sums, event) {
  const add = (table, name, by) => (table[name] = (table[name] ?? 0) + by);
  if (event.fault) add(sums.faults, event.fault, 1);
  if (event.invariant) add(sums.invariants, event.invariant, event.times);
  if (event.count) add(sums.counts, event.count, event.number);
}

// What a panic says, without the log lines around it.
function shown(output) {
  const lines = output.split("\n");
  const panic = lines.findIndex((line) => line.includes(" panicked at "));
  return lines.slice(panic < 0 ? -SHOWN_LINES : panic, panic < 0 ? undefined : panic + SHOWN_LINES);
}

function page(report) {
  const { settings, machine, seeds } = report;
  const chosen = Object.entries(settings).map(([name, value]) => `${name}=${value}`).join(" ");
  const rows = (table) => Object.entries(table).sort((one, other) => other[1] - one[1]).map(([name, times]) => `| ${name} | ${times.toLocaleString("en")} |`);
  const scenarios = report.scenarios.map((it) => `| \`${it.name}\` | ${it.rounds} | ${it.failed} | ${Math.round(it.seconds)} | ${sum(it.faults).toLocaleString("en")} | ${sum(it.invariants).toLocaleString("en")} |`);
  const failures = report.failures.flatMap((it) => [
    "",
    `### ${it.scenario}, seed ${it.seed}: ${it.outcome}`,
    `Repeat it: \`CHAOS_SEED=${it.seed} CHAOS_ROUNDS=1 CHAOS_ONLY=${it.scenario} ${chosen} make chaos\`. Its output: ${it.log}`,
    "```",
    ...it.output,
    "```",
  ]);
  return [
    "# Report of a run of `make chaos`",
    `Began ${report.began}, ${duration(report.seconds)} of rounds. Build ${machine.build}. ${machine.cores} cores, ${machine.memory_gib} GiB, Linux ${machine.kernel}.`,
    `Seeds ${seeds.first} to ${seeds.last}. Settings: \`${chosen}\`.`,
    "",
    closing(report),
    "",
    "## What was done to the site", "| fault | times |", "|---|---:|", ...rows(report.faults),
    "", "## What held", "| invariant | checked for |", "|---|---:|", ...rows(report.invariants),
    "", "## How much was going on", "| | number |", "|---|---:|", ...rows(report.counts),
    "", "## Scenarios", "| scenario | rounds | failed | seconds | faults | checks |", "|---|---:|---:|---:|---:|---:|", ...scenarios,
    "", "## Failures", report.failures.length === 0 ? "None." : "", ...failures, "",
  ].join("\n");
}

function closing(report) {
  const failed = report.failures.length;
  return [
    `${report.rounds} rounds of ${report.scenarios.length} scenarios in ${duration(report.seconds)}, seeds ${report.seeds.first} to ${report.seeds.last}: ${report.rounds - failed} held, ${failed} failed.`,
    `${sum(report.faults).toLocaleString("en")} faults of ${Object.keys(report.faults).length} kinds, ${sum(report.invariants).toLocaleString("en")} checks of ${Object.keys(report.invariants).length} invariants.`,
  ].join("\n");
}

function duration(seconds) {
  return seconds < 120 ? `${seconds} s` : `${Math.round(seconds / 60)} min`;
}

function sum(table) {
  return Object.values(table).reduce((total, times) => total + times, 0);
}

function settings() {
  const names = ["CHAOS_SCALE", "CHAOS_CROWD", "CHAOS_DUE", "CHAOS_RACES"];
  return Object.fromEntries(names.filter((name) => process.env[name]).map((name) => [name, process.env[name]]));
}

function machine() {
  const described = spawnSync("git", ["describe", "--always", "--dirty"], { encoding: "utf8" });
  return {
    build: described.status === 0 ? described.stdout.trim() : "unknown",
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
  };
}

function number(name) {
  const text = process.env[name];
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  if (!Number.isInteger(value) || value < 0) {
    console.error(`${name} must be a whole number, not ${text}.`);
    process.exit(2);
  }
  return value;
}

function record(line) {
  appendFileSync(rounds, `${JSON.stringify(line)}\n`);
}

function parse(file) {
  return readFileSync(file, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
}
