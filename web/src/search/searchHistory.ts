// What was searched for in this browser: the newest first, kept here and nowhere else. Storage may be blocked: then it
// lasts as long as the page.
import { ref } from "vue";

const KEY = "tandian.searches";
/** Three rows on a phone. */
const KEPT = 10;

function read(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((text) => typeof text === "string").slice(0, KEPT) : [];
  } catch {
    return [];
  }
}

function write(texts: readonly string[]): void {
  try {
    if (texts.length === 0) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, JSON.stringify(texts));
  } catch {
    // Not stored.
  }
}

export function useSearchHistory() {
  const texts = ref<readonly string[]>(read());

  function set(next: readonly string[]): void {
    texts.value = next;
    write(next);
  }

  /** Another tab may have added to it: what is stored counts. */
  function add(text: string): void {
    if (text !== "") set([text, ...read().filter((known) => known !== text)].slice(0, KEPT));
  }

  function remove(text: string): void {
    set(read().filter((known) => known !== text));
  }

  return { texts, add, remove, clear: () => set([]) };
}
