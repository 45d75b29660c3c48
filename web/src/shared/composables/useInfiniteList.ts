// A list that grows while scrolling, page by page along the server's cursor.
// Invariants: an item is shown once even if pages overlap because something was added in between; one page is
// loaded at a time; only the newest load may change what is shown, and nothing happens after the scope is disposed.
import { computed, onScopeDispose, ref, shallowRef, toValue, type MaybeRefOrGetter } from "vue";
import { historyCache } from "@/shared/historyCache";

export interface ListPage<T, C> {
  items: readonly T[];
  /** The cursor of the next page; undefined when this page was the last. */
  next: C | undefined;
}

/** `loading` shows nothing yet; `more` is loading below what is shown; `failed` may have items above it. */
export type InfiniteListState = "loading" | "ready" | "more" | "done" | "failed";

export interface InfiniteListOptions<T, C> {
  /** Called without a cursor for the first page. */
  load: (cursor: C | undefined) => Promise<ListPage<T, C>>;
  /** Identifies an item, as in `v-for`. */
  key: (item: T) => string | number;
  /** Caches the list per entry of the history, under this key. Read at each start of the list. */
  cacheKey?: MaybeRefOrGetter<string>;
}

interface Snapshot<T, C> {
  items: readonly T[];
  next: C | undefined;
}

/** Loads the first page, unless the list is cached. */
export function useInfiniteList<T, C = number>({ load, key, cacheKey }: InfiniteListOptions<T, C>) {
  const items = shallowRef<readonly T[]>([]);
  const state = ref<InfiniteListState>("loading");
  const failure = shallowRef<unknown>();
  const refreshing = ref(false);
  const empty = computed(() => state.value === "done" && items.value.length === 0);
  /** The props of the component `InfiniteList`. */
  const frame = computed(() => ({ state: state.value, failure: failure.value, count: items.value.length }));
  const cache = historyCache();
  let name = toValue(cacheKey);
  let next: C | undefined;
  let newest = 0;

  function show(list: readonly T[], cursor: C | undefined): void {
    items.value = list;
    next = cursor;
    state.value = cursor === undefined ? "done" : "ready";
  }

  /** Resolves when the page is shown, has failed, or was superseded by a newer load. */
  async function run(cursor: C | undefined): Promise<void> {
    const mine = ++newest;
    try {
      const page = await load(cursor);
      if (mine !== newest) return;
      show(joined(cursor === undefined ? [] : items.value, page.items, key), page.next);
    } catch (error) {
      if (mine !== newest) return;
      failure.value = error;
      state.value = "failed";
    }
  }

  /** The next page; after a failure, the page that failed. */
  async function loadMore(): Promise<void> {
    if (state.value !== "ready" && state.value !== "failed") return;
    if (refreshing.value) return;
    state.value = items.value.length === 0 ? "loading" : "more";
    await run(next);
  }

  /** Loads the first page again; the old list is shown until then. */
  async function refresh(): Promise<void> {
    refreshing.value = true;
    const mine = newest + 1;
    await run(undefined);
    if (mine === newest) refreshing.value = false;
  }

  /** Loads another list in its place: nothing of the old one is shown meanwhile. */
  async function restart(): Promise<void> {
    name = toValue(cacheKey);
    refreshing.value = false;
    items.value = [];
    next = undefined;
    state.value = "loading";
    await run(undefined);
  }

  const found = name === undefined ? undefined : cache.get<Snapshot<T, C>>(name);
  if (found === undefined) void run(undefined);
  else show(found.items, found.next);

  onScopeDispose(() => {
    newest = -1;
    const nothing = state.value === "loading" || (state.value === "failed" && items.value.length === 0);
    if (name !== undefined && !nothing) cache.set(name, { items: items.value, next } satisfies Snapshot<T, C>);
  });

  return { items, state, failure, frame, refreshing, empty, loadMore, refresh, restart };
}

function joined<T>(shown: readonly T[], more: readonly T[], key: (item: T) => string | number): readonly T[] {
  const seen = new Set(shown.map(key));
  const fresh = more.filter((item) => {
    const unseen = !seen.has(key(item));
    seen.add(key(item));
    return unseen;
  });
  return [...shown, ...fresh];
}
