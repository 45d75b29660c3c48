// Something a page loads and may load again. Invariant: only the newest load may change what is shown, so a
// slow early answer never overwrites a later one, and nothing happens after the page is gone.
import { onScopeDispose, ref, shallowRef } from "vue";
import { keeperHere } from "@/shared/kept";

export type ResourceState = "loading" | "ready" | "failed";

/** With a name to keep it by, what was loaded is shown at once to whoever comes back, until it is loaded anew. */
export function useResource<T>(fetcher: () => Promise<T>, keepAs?: string) {
  const keeper = keeperHere();
  const data = shallowRef(keepAs === undefined ? undefined : keeper.recall<T>(keepAs));
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
      if (keepAs !== undefined) keeper.keep(keepAs, loaded);
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
