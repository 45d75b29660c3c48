// The feed: notes of followed people, newest first. Invariants: the server's cursor is sent back unchanged, so no note is
// shown twice and none is left out, whatever is published or deleted in between; new notes are counted, and shown on request.
import { onScopeDispose, reactive, ref } from "vue";
import { useInfiniteList } from "@/shared/composables/useInfiniteList";
import { readFeed, type FeedCursor, type Note } from "./api";

/** Often enough to feel live, seldom enough to cost nothing. */
const POLL_INTERVAL_MS = 45_000;

export function useFeed() {
  const fresh = ref(0);
  const list = useInfiniteList<Note, FeedCursor>({
    load: async (cursor) => {
      const { items, next } = await readFeed(cursor);
      if (cursor === undefined) fresh.value = 0;
      return { items: items.map((note) => reactive(note)), next };
    },
    key: (note) => note.id,
    cacheKey: "feed",
  });

  /** Counts new notes. Never rejects: the next poll counts them. */
  async function poll(): Promise<void> {
    if (list.state.value === "loading" || document.hidden) return;
    const newest = await readFeed().catch(() => undefined);
    if (newest !== undefined) fresh.value = countNew(newest.items, list.items.value);
  }

  const timer = setInterval(() => void poll(), POLL_INTERVAL_MS);
  const onVisible = () => void poll();
  document.addEventListener("visibilitychange", onVisible);
  onScopeDispose(() => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
  });
  // A list from the history cache may be stale.
  void poll();

  return { ...list, fresh, poll };
}

/** Those above the first that is shown already; all of them if none is. */
function countNew(newest: readonly Note[], shown: readonly Note[]): number {
  const known = new Set(shown.map((note) => note.id));
  const first = newest.findIndex((note) => known.has(note.id));
  return first === -1 ? newest.length : first;
}
