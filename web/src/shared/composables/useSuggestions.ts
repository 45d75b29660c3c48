// Suggestions while a search is typed, debounced. Invariant: suggestions belong to the current text; requests for earlier
// text are aborted, and their replies dropped should they come all the same.
import { onScopeDispose, shallowRef, watch, type Ref } from "vue";

/** Longer than the time between two letters, shorter than between two words. */
const DEBOUNCE_MS = 200;

export function useSuggestions<T>(typed: Readonly<Ref<string>>, suggest: (text: string, signal: AbortSignal) => Promise<readonly T[]>) {
  const suggestions = shallowRef<readonly T[]>([]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = new AbortController();

  async function load(text: string): Promise<void> {
    const mine = abort();
    // Optional: on a failure the search itself still works and shows the error.
    const found = await suggest(text, mine.signal).catch(() => []);
    if (mine === running) suggestions.value = found;
  }

  /** Ends the request under way; the controller is for the next one. */
  function abort(): AbortController {
    running.abort();
    running = new AbortController();
    return running;
  }

  function clear(): void {
    clearTimeout(timer);
    abort();
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
