// One pause before the next try. It can be cut short, and ends with the page.
import { onScopeDispose } from "vue";

export function usePause(next: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function begin(ms: number): void {
    stop();
    timer = setTimeout(end, ms);
  }

  function end(): void {
    stop();
    next();
  }

  /** Without a pause there is nothing to cut short. */
  function hurry(): void {
    if (timer !== undefined) end();
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  onScopeDispose(stop);
  return { begin, hurry };
}
