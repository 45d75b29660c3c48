// The notes of those one follows, newest first. Invariants: the server's cursor is handed back as it came, so no note is shown
// twice and none is left out, whatever is published or deleted in between; what is new is counted, never pushed under the
// reader's eyes.
import { onScopeDispose, reactive, ref } from "vue";
import { useEndlessList } from "@/shared/composables/useEndlessList";
import { readFeed, type FeedCursor, type Note } from "./api";

/** How often an open page looks for new notes: often enough to feel alive, seldom enough to cost nothing. */
const LOOK_EVERY_MS = 45_000;

export function useFeed() {
  const fresh = ref(0);
  const list = useEndlessList<Note, FeedCursor>({
    load: async (cursor) => {
      const { items, next } = await readFeed(cursor);
      if (cursor === undefined) fresh.value = 0;
      return { items: items.map((note) => reactive(note)), next };
    },
    key: (note) => note.id,
    keepAs: "feed",
  });

  /** Counts what has come since. Never rejects: whoever cannot be told of new notes now is told later. */
  async function look(): Promise<void> {
    if (list.state.value === "loading" || document.hidden) return;
    const newest = await readFeed().catch(() => undefined);
    if (newest !== undefined) fresh.value = countNew(newest.items, list.items.value);
  }

  const timer = setInterval(() => void look(), LOOK_EVERY_MS);
  const onVisible = () => void look();
  document.addEventListener("visibilitychange", onVisible);
  onScopeDispose(() => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
  });
  // A list that was kept for the way back may be old by now.
  void look();

  return { ...list, fresh, look };
}

/** Those above the first that is shown already; all of them if none is. */
function countNew(newest: readonly Note[], shown: readonly Note[]): number {
  const known = new Set(shown.map((note) => note.id));
  const first = newest.findIndex((note) => known.has(note.id));
  return first === -1 ? newest.length : first;
}
