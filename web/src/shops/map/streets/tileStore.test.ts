import { expect, test, vi } from "vitest";
import type { StreetTile } from "./decode";
import { keyOf, type TileId } from "./tiles";
import { tileStore } from "./tileStore";

const row = (count: number, from = 0, z = 14): TileId[] => Array.from({ length: count }, (_, at) => ({ z, x: from + at, y: 7 }));
const tile = () => ({}) as StreetTile;

/** Reads that the test answers. */
function reads() {
  const pending = new Map<string, { resolve: (tile?: StreetTile) => void; reject: (error: Error) => void; signal: AbortSignal }>();
  const begun: string[] = [];
  const read = (id: TileId, signal: AbortSignal) => {
    begun.push(keyOf(id));
    return new Promise<StreetTile | undefined>((resolve, reject) => pending.set(keyOf(id), { resolve, reject, signal }));
  };
  const settle = async (id: TileId, outcome?: StreetTile | Error) => {
    const one = pending.get(keyOf(id));
    if (outcome instanceof Error) one?.reject(outcome);
    else one?.resolve(outcome);
    await Promise.resolve().then(() => undefined);
    await new Promise((done) => setTimeout(done));
  };
  const signalOf = (id: TileId) => pending.get(keyOf(id))?.signal;
  return { read, begun, settle, signalOf };
}

test("a few are read at once, the first wanted first", async () => {
  const { read, begun, settle } = reads();
  const changed = vi.fn();
  const store = tileStore(read, changed);
  const [first, second, third, fourth] = row(5) as [TileId, TileId, TileId, TileId];
  store.want(row(5));
  expect(begun).toEqual([first, second, third].map(keyOf));
  await settle(second, tile());
  expect(begun.at(-1)).toBe(keyOf(fourth));
  expect(changed).toHaveBeenCalledOnce();
  expect(store.best(second)?.id).toEqual(second);
  expect(store.best(first)).toBeUndefined();
});

test("what the view left is not read on, and does not come later", async () => {
  const { read, settle, signalOf } = reads();
  const changed = vi.fn();
  const store = tileStore(read, changed);
  const [left, kept] = row(2) as [TileId, TileId];
  store.want([left, kept]);
  store.want([kept]);
  expect(signalOf(left)?.aborted).toBe(true);
  expect(signalOf(kept)?.aborted).toBe(false);
  await settle(left, new DOMException("aborted", "AbortError"));
  expect(changed).not.toHaveBeenCalled();
  expect(store.failed()).toBe(0);
});

test("a tile is read once while it is kept, and the oldest are dropped", async () => {
  const { read, begun, settle } = reads();
  const store = tileStore(read, () => undefined);
  for (const id of row(60)) {
    store.want([id]);
    await settle(id, tile());
  }
  const [oldest, newest] = [row(1)[0], row(1, 59)[0]] as [TileId, TileId];
  store.want([newest]);
  expect(begun).toHaveLength(60);
  store.want([oldest]);
  expect(begun).toHaveLength(61);
  const kept = row(60).filter((id) => store.best(id) !== undefined);
  expect(kept.length).toBeLessThanOrEqual(48);
});

test("a tile that failed is known as failed until it is retried", async () => {
  const { read, begun, settle } = reads();
  const store = tileStore(read, () => undefined);
  const [id] = row(1) as [TileId];
  store.want([id]);
  await settle(id, new Error("no network"));
  expect(store.failed()).toBe(1);
  store.want([id]);
  expect(begun).toHaveLength(1);
  store.retry();
  await settle(id, tile());
  expect(store.failed()).toBe(0);
  expect(store.best(id)).toBeDefined();
});

test("a coarser tile stands in until the finer one is there, but not where the file has none", async () => {
  const { read, settle } = reads();
  const store = tileStore(read, () => undefined);
  const coarse = { z: 12, x: 5, y: 1 };
  const [fine, absent] = [{ z: 14, x: 20, y: 7 }, { z: 14, x: 21, y: 7 }];
  store.want([coarse]);
  await settle(coarse, tile());
  store.want([fine, absent]);
  expect(store.best(fine)?.id).toEqual(coarse);
  await settle(absent);
  expect(store.best(absent)).toBeUndefined();
  await settle(fine, tile());
  expect(store.best(fine)?.id).toEqual(fine);
});
