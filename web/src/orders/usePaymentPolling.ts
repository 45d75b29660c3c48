// Back from a cashier, whose confirmation may be slower than the browser: the order is polled until it is paid, for a while.
// An order that is still unpaid after the first few replies has a failed payment, and the page says so; a payment that is
// confirmed later still shows, by a poll or by a notice.
import { computed, ref, watch } from "vue";
import { useRetryTimer } from "@/shared/composables/useRetryTimer";

const POLL_INTERVAL_MS = 2_000;
/** Half a minute: a payment is confirmed by then, and a buyer who did not pay wants to. */
const POLLS_MAX = 15;
/** Providers confirm while the browser is on its way back; a buyer who was refused is not kept waiting. */
const REPLIES_BEFORE_FAILURE = 3;

/** `unpaid` says that the buyer came from a cashier and the order is still unpaid; `refresh` whether there was a reply. */
export function usePaymentPolling(unpaid: () => boolean, refresh: () => Promise<boolean>) {
  const polls = ref(0);
  /** Silence says nothing about a payment, so only replies count. */
  const replies = ref(0);
  const polling = computed(() => unpaid() && polls.value < POLLS_MAX);
  const failed = computed(() => unpaid() && replies.value >= REPLIES_BEFORE_FAILURE);
  const timer = useRetryTimer(() => void poll());

  async function poll(): Promise<void> {
    if (await refresh()) replies.value += 1;
    polls.value += 1;
    if (polling.value) timer.start(POLL_INTERVAL_MS);
  }

  watch(unpaid, (is) => is && timer.start(POLL_INTERVAL_MS), { immediate: true });
  return { polling, failed };
}
