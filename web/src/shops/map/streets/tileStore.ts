// Tiles in memory: those that are wanted are read, a few at once and those in the middle first; what is no longer wanted is not
// read on. Invariants: never more than a fixed number is kept, and a tile that failed is known as failed until it is retried.
import type { StreetTile } from "./decode";
import { ancestorOf, keyOf, type TileId } from "./tiles";

/** Of the six connections that a browser has for a site, the shops keep three. */
const PARALLEL = 3;
/** About three screens. */
const KEPT_MAX = 48;
/** A tile that takes longer does not come any more. */
const READ_LIMIT_MS = 30_000;

type Entry =
  | { state: "loading"; control: AbortController }
  | { state: "ready"; tile: StreetTile }
  /** The file has none there. */
  | { state: "absent" }
  | { state: "failed" };

export type Read = (tile: TileId, signal: AbortSignal) => Promise<StreetTile | undefined>;

/** `changed` is called after a tile came, or failed to. */
export function tileStore(read: Read, changed: () => void) {
  /** The least recently wanted first. */
  const entries = new Map<string, Entry>();
  let wanted: readonly TileId[] = [];

  function want(tiles: readonly TileId[]): void {
    wanted = tiles;
    const keys = new Set(tiles.map(keyOf));
    for (const [key, entry] of entries) {
      if (entry.state !== "loading" || keys.has(key)) continue;
      entries.delete(key);
      entry.control.abort();
    }
    for (const key of keys) touch(key);
    startNext();
    prune(keys);
  }

  function touch(key: string): void {
    const entry = entries.get(key);
    if (entry === undefined) return;
    entries.delete(key);
    entries.set(key, entry);
  }

  function startNext(): void {
    for (const tile of wanted) {
      if (countOf("loading") >= PARALLEL) return;
      if (!entries.has(keyOf(tile))) void start(tile);
    }
  }

  async function start(tile: TileId): Promise<void> {
    const key = keyOf(tile);
    const control = new AbortController();
    const entry: Entry = { state: "loading", control };
    entries.set(key, entry);
    const timer = setTimeout(() => control.abort(), READ_LIMIT_MS);
    const settled = await read(tile, control.signal).then(
      (found): Entry => (found === undefined ? { state: "absent" } : { state: "ready", tile: found }),
      (): Entry => ({ state: "failed" }),
    );
    clearTimeout(timer);
    // Otherwise it was given up, and perhaps begun again.
    if (entries.get(key) !== entry) return;
    entries.set(key, settled);
    startNext();
    changed();
  }

  function prune(keys: ReadonlySet<string>): void {
    for (const key of entries.keys()) {
      if (entries.size <= KEPT_MAX) return;
      if (!keys.has(key)) entries.delete(key);
    }
  }

  function countOf(state: Entry["state"]): number {
    return [...entries.values()].filter((entry) => entry.state === state).length;
  }

  function readyTile(id: TileId): StreetTile | undefined {
    const entry = entries.get(keyOf(id));
    return entry?.state === "ready" ? entry.tile : undefined;
  }

  /** The tile itself or, until it is there, the nearest coarser one that is. */
  function best(id: TileId): { id: TileId; tile: StreetTile } | undefined {
    if (entries.get(keyOf(id))?.state === "absent") return undefined;
    for (let levels = 0; levels <= id.z; levels++) {
      const found = ancestorOf(id, levels);
      const tile = readyTile(found);
      if (tile !== undefined) return { id: found, tile };
    }
    return undefined;
  }

  /** How many of the wanted tiles could not be read. */
  const failed = () => wanted.filter((tile) => entries.get(keyOf(tile))?.state === "failed").length;

  function retry(): void {
    for (const [key, entry] of entries) if (entry.state === "failed") entries.delete(key);
    startNext();
  }

  return { want, best, failed, retry, close: () => want([]) };
}
