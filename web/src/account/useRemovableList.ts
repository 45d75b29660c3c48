// A list of the user's own from which single items are removed. One that is removed leaves the page at once, and comes back
// if the server did not accept it.
import { computed, reactive } from "vue";
import { cursorLoader, type CursorQuery } from "@/shared/composables/pageLoader";
import { useInfiniteList } from "@/shared/composables/useInfiniteList";
import { useSignedInAction } from "./useSignedInAction";

interface RemovableListOptions<T> {
  fetchPage: (query: CursorQuery) => Promise<{ list: T[]; cursor?: string }>;
  key: (item: T) => number;
  /** May be repeated. */
  remove: (key: number) => Promise<void>;
}

export function useRemovableList<T>(options: RemovableListOptions<T>) {
  const act = useSignedInAction();
  const left = reactive(new Set<number>());
  const pages = useInfiniteList<T, string>({ load: cursorLoader(options.fetchPage), key: options.key });
  const items = computed(() => pages.items.value.filter((item) => !left.has(options.key(item))));
  const frame = computed(() => ({ ...pages.frame.value, count: items.value.length }));

  /** Whether the server has accepted it. */
  async function remove(key: number): Promise<boolean> {
    if (left.has(key)) return false;
    left.add(key);
    const accepted = await act(() => options.remove(key));
    if (!accepted) left.delete(key);
    return accepted;
  }

  return { items, frame, remove, loadMore: pages.loadMore };
}
