// How a recorded schedule is played: what the stores hold after each step, what every process last saw, and which lines of
// code it is about to run. Pure, so that it is tested without a page.
import type { LabRecording, LabStep } from "./api";

/** A place in a store: `sql stock`, `redis lock:sale PX`. */
export interface Cell {
  id: string;
  name: string;
  value: string;
  /** What the present step did to it. */
  change: "none" | "new" | "changed" | "gone";
  /** The value before the step, where it has another one now. */
  was?: string;
}

export interface Store {
  id: string;
  cells: Cell[];
}

/** A buyer or a worker: where it stands and what it last read. */
export interface Actor {
  id: string;
  who: string;
  process: number;
  /** An id among the moments of the report. */
  what: string;
  saw: readonly [string, string][];
  at?: LabStep["at"];
  /** Whether the present step is its own. */
  isActing: boolean;
  state: "running" | "paused" | "killed" | "done";
}

const STORE_ORDER = ["sql", "redis", "replica", "redis-2", "redis-3", "rabbitmq", "kafka"];
const REPLIES = new Set(["ordered", "sold-out", "already-bought", "busy", "failed"]);

type Cells = Map<string, string>;

/** The cells after so many steps; nothing is played yet at 0. */
export function cellsAfter(recording: LabRecording, played: number): Cells {
  const cells: Cells = new Map(Object.entries(recording.begin));
  for (const step of recording.steps.slice(0, played)) {
    for (const [cell, value] of Object.entries(step.changes)) cells.set(cell, value);
    for (const cell of step.gone) cells.delete(cell);
  }
  return cells;
}

/** What each store holds after so many steps, with what the last of them changed. What it removed is still listed, as gone. */
export function storesAfter(recording: LabRecording, played: number): Store[] {
  const now = cellsAfter(recording, played);
  const before = played > 0 ? cellsAfter(recording, played - 1) : now;
  const ids = [...new Set([...before.keys(), ...now.keys()])].sort(byName);
  const stores = new Map<string, Cell[]>();
  for (const id of ids) {
    const [store, name] = splitOnce(id);
    const cells = stores.get(store) ?? [];
    cells.push(cellOf(id, name, before.get(id), now.get(id)));
    stores.set(store, cells);
  }
  return [...stores].map(([id, cells]) => ({ id, cells })).sort((a, b) => rankOf(a.id) - rankOf(b.id));
}

function cellOf(id: string, name: string, before: string | undefined, now: string | undefined): Cell {
  if (now === undefined) return { id, name, value: before ?? "", change: "gone" };
  if (before === undefined) return { id, name, value: now, change: "new" };
  if (before === now) return { id, name, value: now, change: "none" };
  return { id, name, value: now, change: "changed", was: before };
}

/** Numbers in names count: order #10 comes after order #9. */
function byName(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

function splitOnce(id: string): [string, string] {
  const at = id.indexOf(" ");
  return at < 0 ? [id, ""] : [id.slice(0, at), id.slice(at + 1)];
}

function rankOf(store: string): number {
  const rank = STORE_ORDER.indexOf(store);
  return rank < 0 ? STORE_ORDER.length : rank;
}

/** Everybody who has appeared after so many steps, in the order of appearance. */
export function actorsAfter(recording: LabRecording, played: number): Actor[] {
  const actors = new Map<string, Actor>();
  recording.steps.slice(0, played).forEach((step, position) => {
    if (step.who === "attacker") {
      applyAct(actors, step);
      return;
    }
    // Late buyers and what a worker finishes at the end belong to no process: they are told by the step itself.
    if (step.process === 0) return;
    const id = `${step.who}-${step.process}`;
    const isDone = REPLIES.has(step.what);
    const last = actors.get(id);
    const saw = Object.entries(step.saw);
    actors.set(id, {
      id,
      who: step.who,
      process: step.process,
      what: step.what,
      // A step without a read of its own does not make a process forget what it knows.
      saw: saw.length > 0 || isDone || last === undefined || last.state === "done" ? saw : last.saw,
      ...(step.at === undefined ? {} : { at: step.at }),
      isActing: position === played - 1,
      state: isDone ? "done" : "running",
    });
  });
  return [...actors.values()];
}

const ACT_STATES: Record<string, Actor["state"] | undefined> = { kill: "killed", pause: "paused", resume: "running" };

function applyAct(actors: Map<string, Actor>, step: LabStep): void {
  const state = ACT_STATES[step.what];
  if (state === undefined) return;
  for (const [id, actor] of actors) {
    if (actor.process !== step.process || actor.state === "done") continue;
    // A killed process has forgotten everything, and stands nowhere.
    if (state === "killed") actors.set(id, { id, who: actor.who, process: actor.process, what: "kill", saw: [], isActing: false, state });
    else actors.set(id, { ...actor, isActing: false, state });
  }
}

/** Lines from 1, that a process at this line runs next: up to its next step, or to the end of the block. */
export function nextLines(code: string, line: number): { from: number; to: number } | undefined {
  const lines = code.split("\n");
  const here = lines[line - 1];
  if (here === undefined) return undefined;
  const depth = indentOf(here);
  let to = line;
  for (let at = line; at < lines.length; at += 1) {
    const text = lines[at] ?? "";
    if (text.trim() === "") continue;
    if (indentOf(text) < depth || /\bsteps?\.(step|waits)\(|self\.step\(/.test(text)) break;
    to = at + 1;
  }
  return to > line ? { from: line + 1, to } : undefined;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** The first step that does harm, or nothing. */
export function firstHarm(recording: LabRecording): number | undefined {
  const at = recording.steps.findIndex((step) => step.harm.length > 0);
  return at < 0 ? undefined : at + 1;
}

/** Keys of a media player: arrows by one, Home and End. Undefined for any other key. */
export function positionByKey(key: string, played: number, length: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowRight: played + 1,
    ArrowDown: played + 1,
    ArrowLeft: played - 1,
    ArrowUp: played - 1,
    Home: 0,
    End: length,
  };
  const to = moves[key];
  return to === undefined ? undefined : clamp(to, length);
}

export function clamp(position: number, length: number): number {
  return Math.min(Math.max(Math.trunc(position), 0), length);
}
