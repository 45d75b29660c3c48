// Back from a cashier, whose confirmation may be slower than the browser: the order is polled until it is paid, for a while.
// After that the page shows it as it is; a notice announces a payment that is confirmed later.
import { computed, ref, watch } from "vue";
import { useRetryTimer } from "@/shared/composables/useRetryTimer";

const POLL_INTERVAL_MS = 2_000;
/** Half a minute: a payment is confirmed by then, and a buyer who did not pay wants to. */
const POLLS_MAX = 15;

/** `unpaid` says that the buyer came from a cashier and the order is still unpaid. */
export function usePaymentPolling(unpaid: () => boolean, refresh: () => Promise<void>) {
  const polls = ref(0);
  const polling = computed(() => unpaid() && polls.value < POLLS_MAX);
  const timer = useRetryTimer(() => void poll());

  async function poll(): Promise<void> {
    await refresh();
    polls.value += 1;
    if (polling.value) timer.start(POLL_INTERVAL_MS);
  }

  watch(unpaid, (is) => is && timer.start(POLL_INTERVAL_MS), { immediate: true });
  return { polling };
}
