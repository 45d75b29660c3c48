// Something a page loads and may load again. Invariant: only the newest load may change what is shown, so a
// slow early answer never overwrites a later one, and nothing happens after the page is gone.
import { onScopeDispose, ref, shallowRef } from "vue";

export type ResourceState = "loading" | "ready" | "failed";

export function useResource<T>(fetcher: () => Promise<T>) {
  const data = shallowRef<T>();
  const error = shallowRef<unknown>();
  const state = ref<ResourceState>("loading");
  let newest = 0;

  async function load(): Promise<void> {
    const mine = ++newest;
    if (data.value === undefined) state.value = "loading";
    try {
      const loaded = await fetcher();
      if (mine !== newest) return;
      data.value = loaded;
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
