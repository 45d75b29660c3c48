// Suggestions while a search is typed, debounced. Invariant: suggestions belong to the current text; replies to earlier
// text are dropped.
import { onScopeDispose, shallowRef, watch, type Ref } from "vue";

/** Longer than the time between two letters, shorter than between two words. */
const DEBOUNCE_MS = 200;

export function useSuggestions<T>(typed: Readonly<Ref<string>>, suggest: (text: string) => Promise<readonly T[]>) {
  const suggestions = shallowRef<readonly T[]>([]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;

  async function load(text: string): Promise<void> {
    const mine = ++newest;
    // Optional: on a failure the search itself still works and shows the error.
    const found = await suggest(text).catch(() => []);
    if (mine === newest) suggestions.value = found;
  }

  function clear(): void {
    clearTimeout(timer);
    newest += 1;
    suggestions.value = [];
  }

  watch(typed, (text) => {
    clearTimeout(timer);
    const wanted = text.trim();
    if (wanted === "") return clear();
    timer = setTimeout(() => void load(wanted), DEBOUNCE_MS);
  });
  onScopeDispose(clear);

  return { suggestions, clear };
}
