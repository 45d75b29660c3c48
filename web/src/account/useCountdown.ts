// Seconds left until something is allowed again. Counted from a deadline on the monotonic clock, so a
// sleeping tab or a changed wall clock does not stretch it.
import { onScopeDispose, ref } from "vue";

const TICK_MS = 250;

export function useCountdown() {
  const secsLeft = ref(0);
  let timer: ReturnType<typeof setInterval> | undefined;

  function start(secs: number): void {
    stop();
    const deadlineMs = performance.now() + secs * 1000;
    secsLeft.value = Math.ceil(secs);
    if (secsLeft.value === 0) return;
    timer = setInterval(() => {
      secsLeft.value = Math.max(0, Math.ceil((deadlineMs - performance.now()) / 1000));
      if (secsLeft.value === 0) stop();
    }, TICK_MS);
  }

  function stop(): void {
    clearInterval(timer);
    secsLeft.value = 0;
  }

  onScopeDispose(stop);
  return { secsLeft, start, stop };
}
