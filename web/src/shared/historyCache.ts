// What pages had loaded, cached per entry of the browser's history: after the back button a list is as long as it was, so
// that the browser's scroll position still means the same place.
// Invariant: a value is cached for one entry of the history only. A new navigation loads again, and a change of user
// clears everything.
import type { RouterHistory } from "vue-router";

/** Entries of the history that may have values; the oldest are dropped first. */
const ENTRIES_MAX = 20;

const entries = new Map<number, Map<string, unknown>>();
let generation = 0;

/** Bound to the entry of the history that is current when it is created. */
interface HistoryCache {
  /** The caller knows the type of what it has set. */
  get: <T>(key: string) => T | undefined;
  set: (key: string, value: unknown) => void;
}

export function historyCache(): HistoryCache {
  const at = position();
  const created = generation;
  return {
    get: <T>(key: string) => entries.get(at)?.get(key) as T | undefined,
    set: (key, value) => {
      if (created === generation) entryAt(at).set(key, value);
    },
  };
}

/** For a change of user: what one has loaded is not shown to the next. */
export function clearHistoryCache(): void {
  generation += 1;
  entries.clear();
}

/** Distinguishes a new navigation from going back or forward: it drops the entries ahead of it, as the browser does. */
export function trackHistory(history: RouterHistory): { onNavigated: () => void; isTraversing: () => boolean } {
  let traversing = false;
  let last = position();
  history.listen(() => (traversing = true));

  function onNavigated(): void {
    const now = position();
    if (!traversing && now > last) dropFrom(now);
    traversing = false;
    last = now;
  }

  return { onNavigated, isTraversing: () => traversing };
}

function dropFrom(first: number): void {
  for (const at of entries.keys()) if (at >= first) entries.delete(at);
}

function entryAt(at: number): Map<string, unknown> {
  const found = entries.get(at) ?? new Map<string, unknown>();
  entries.delete(at);
  entries.set(at, found);
  const [oldest] = entries.keys();
  if (entries.size > ENTRIES_MAX && oldest !== undefined) entries.delete(oldest);
  return found;
}

/** The router numbers the entries of the history in their state. */
function position(): number {
  const state: unknown = window.history.state;
  const number = typeof state === "object" && state !== null && "position" in state ? state.position : 0;
  return typeof number === "number" ? number : 0;
}
