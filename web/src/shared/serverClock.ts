// The server's clock, estimated. A reply carries the server's time when it was written and arrives later, so the largest
// offset seen is the nearest to the truth. Advanced by the monotonic clock: setting the device's clock opens no sale early.
import { onScopeDispose, readonly, ref, type Ref } from "vue";

/** Often enough that no second is skipped. */
const TICK_MS = 250;

/** Until the first reply the device's own clock is used. */
let offsetMs: number | null = null;
let timer: ReturnType<typeof setInterval> | undefined;
let users = 0;
const shownMs = ref(0);

/** To be called with every `nowMs` the moment it arrives. */
export function syncServerTime(nowMs: number): void {
  syncServerOffset(nowMs - performance.now());
}

/** As above, for a reply that is read later than it arrived: the offset from `performance.now()` when it did. */
export function syncServerOffset(aheadMs: number): void {
  offsetMs = Math.max(offsetMs ?? Number.NEGATIVE_INFINITY, aheadMs);
  shownMs.value = serverNowMs();
}

export function serverNowMs(): number {
  return offsetMs === null ? Date.now() : Math.floor(performance.now() + offsetMs);
}

/** The server's time as a ref; one timer for all users of it. */
export function useServerNow(): Readonly<Ref<number>> {
  shownMs.value = serverNowMs();
  users += 1;
  timer ??= setInterval(() => (shownMs.value = serverNowMs()), TICK_MS);
  onScopeDispose(() => {
    users -= 1;
    if (users > 0) return;
    clearInterval(timer);
    timer = undefined;
  });
  return readonly(shownMs);
}

/** For tests, which set the clock back. */
export function resetServerTime(): void {
  offsetMs = null;
}
