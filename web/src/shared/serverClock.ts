// The server's clock, as far as this page can know it. A reply tells what time it was there when it was written;
// on its way it only grows older, so of all that was heard the latest time is the nearest to the truth. Counted on
// by the monotonic clock, so nobody opens a sale early by setting their watch.
import { onScopeDispose, readonly, ref, type Ref } from "vue";

/** Often enough that no second is skipped. */
const TICK_MS = 250;

/** Until the server is heard, the device's own clock has to do. */
let offsetMs: number | null = null;
let timer: ReturnType<typeof setInterval> | undefined;
let watchers = 0;
const shownMs = ref(0);

/** To be called with every `nowMs` the moment it arrives. */
export function hearServerTime(nowMs: number): void {
  offsetMs = Math.max(offsetMs ?? Number.NEGATIVE_INFINITY, nowMs - performance.now());
  shownMs.value = serverNowMs();
}

export function serverNowMs(): number {
  return offsetMs === null ? Date.now() : Math.floor(performance.now() + offsetMs);
}

/** The server's time, moving; one timer for all who look. */
export function useServerNow(): Readonly<Ref<number>> {
  shownMs.value = serverNowMs();
  watchers += 1;
  timer ??= setInterval(() => (shownMs.value = serverNowMs()), TICK_MS);
  onScopeDispose(() => {
    watchers -= 1;
    if (watchers > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
  return readonly(shownMs);
}

/** For tests, which set the clock back. */
export function forgetServerTime(): void {
  offsetMs = null;
}
