// Something a page loads and may load again. Invariant: only the newest load may change what is shown, so a
// slow early reply never overwrites a later one, and nothing happens after the scope is disposed.
import { onScopeDispose, ref, shallowRef } from "vue";
import { historyCache } from "@/shared/historyCache";

export type ResourceState = "loading" | "ready" | "failed";

/** With a cache key the last value of this history entry is shown at once after going back, until it is loaded again. */
export function useResource<T>(fetcher: () => Promise<T>, cacheKey?: string) {
  const cache = historyCache();
  const data = shallowRef(cacheKey === undefined ? undefined : cache.get<T>(cacheKey));
  const error = shallowRef<unknown>();
  const state = ref<ResourceState>(data.value === undefined ? "loading" : "ready");
  let newest = 0;

  async function load(): Promise<void> {
    const mine = ++newest;
    if (data.value === undefined) state.value = "loading";
    try {
      const loaded = await fetcher();
      if (mine !== newest) return;
      data.value = loaded;
      if (cacheKey !== undefined) cache.set(cacheKey, loaded);
      state.value = "ready";
    } catch (failure) {
      if (mine !== newest) return;
      error.value = failure;
      state.value = "failed";
    }
  }

  onScopeDispose(() => (newest = -1));
  return { data, error, state, load };
}
