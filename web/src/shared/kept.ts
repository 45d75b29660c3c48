// What pages had loaded, kept for the way back: whoever returns by the back button finds the list as long as
// it was, so that the browser's scroll position still means the same place.
// Invariant: something is kept for one entry of the browser's history only. Arriving anew at an address loads
// anew, and a change of person forgets everything.
import type { RouterHistory } from "vue-router";

/** Entries of the history that may hold something; the oldest are forgotten first. */
const ENTRIES_MAX = 20;

const kept = new Map<number, Map<string, unknown>>();
let person = 0;

/** Bound to the entry of the history that is current when the keeper is asked for. */
export interface Keeper {
  /** Whoever keeps under a name knows what it is. */
  recall: <T>(name: string) => T | undefined;
  keep: (name: string, value: unknown) => void;
}

export function keeperHere(): Keeper {
  const at = position();
  const whose = person;
  return {
    recall: <T>(name: string) => kept.get(at)?.get(name) as T | undefined,
    keep: (name, value) => {
      if (whose === person) entry(at).set(name, value);
    },
  };
}

/** For a change of person: what one has seen is not the next one's to see. */
export function forgetAll(): void {
  person += 1;
  kept.clear();
}

/** Tells going on from going back: what lay ahead is gone from the browser's history too. */
export function watchHistory(history: RouterHistory): { arrived: () => void } {
  let going = false;
  let last = position();
  history.listen(() => (going = true));

  function arrived(): void {
    const now = position();
    if (!going && now > last) forgetFrom(now);
    going = false;
    last = now;
  }

  return { arrived };
}

function forgetFrom(first: number): void {
  for (const at of kept.keys()) if (at >= first) kept.delete(at);
}

function entry(at: number): Map<string, unknown> {
  const found = kept.get(at) ?? new Map<string, unknown>();
  kept.delete(at);
  kept.set(at, found);
  const [oldest] = kept.keys();
  if (kept.size > ENTRIES_MAX && oldest !== undefined) kept.delete(oldest);
  return found;
}

/** The router numbers the entries of the history in their state. */
function position(): number {
  const state: unknown = window.history.state;
  const told = typeof state === "object" && state !== null && "position" in state ? state.position : 0;
  return typeof told === "number" ? told : 0;
}
