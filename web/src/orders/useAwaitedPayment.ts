// Back from a cashier, whose word may be slower than the person: the order is looked at until it is paid, for a while.
// After that it is shown as it is; a payment that arrives later is told by a notice.
import { computed, ref, watch } from "vue";
import { usePause } from "@/shared/composables/usePause";

const LOOK_EVERY_MS = 2_000;
/** Half a minute: whoever paid has been confirmed by then, and whoever did not wants to pay. */
const LOOKS_MAX = 15;

/** `unpaid` says that somebody came from a cashier and the order is still unpaid. */
export function useAwaitedPayment(unpaid: () => boolean, refresh: () => Promise<void>) {
  const looks = ref(0);
  const awaited = computed(() => unpaid() && looks.value < LOOKS_MAX);
  const pause = usePause(() => void look());

  async function look(): Promise<void> {
    await refresh();
    looks.value += 1;
    if (awaited.value) pause.begin(LOOK_EVERY_MS);
  }

  watch(unpaid, (is) => is && pause.begin(LOOK_EVERY_MS), { immediate: true });
  return { awaited };
}
