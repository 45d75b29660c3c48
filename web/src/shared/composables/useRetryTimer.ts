// The delay before the next attempt. One at a time; it can be cut short, and ends with the page.
import { onScopeDispose } from "vue";

export function useRetryTimer(attempt: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start(delayMs: number): void {
    stop();
    timer = setTimeout(run, delayMs);
  }

  function run(): void {
    stop();
    attempt();
  }

  /** Without a delay under way this does nothing. */
  function runNow(): void {
    if (timer !== undefined) run();
  }

  function stop(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  onScopeDispose(stop);
  return { start, runNow, stop };
}
