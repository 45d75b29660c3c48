// What a search could mean while it is being typed. Invariant: what is offered belongs to what is typed now; answers
// to earlier letters are dropped, and nobody is asked while the typing goes on.
import { onScopeDispose, shallowRef, watch, type Ref } from "vue";

/** Typists pause longer than this between words, and shorter between letters. */
const PAUSE_MS = 200;

export function useSuggestions<T>(typed: Readonly<Ref<string>>, suggest: (text: string) => Promise<readonly T[]>) {
  const suggestions = shallowRef<readonly T[]>([]);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let newest = 0;

  async function ask(text: string): Promise<void> {
    const mine = ++newest;
    // Suggestions are a courtesy: when they cannot be had, the search itself still works and tells why not.
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
    timer = setTimeout(() => void ask(wanted), PAUSE_MS);
  });
  onScopeDispose(clear);

  return { suggestions, clear };
}
