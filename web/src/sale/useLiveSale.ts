// The state of a flash sale, kept up to date by server-sent events, and by polling while there are none.
// Events carry what is public; what belongs to the user (order, token) is kept from the last reply.
import { onScopeDispose, watch } from "vue";
import { useEventStream } from "@/shared/composables/useEventStream";
import { useResource } from "@/shared/composables/useResource";
import { getSaleState, readSaleEvent, saleEventsUrl, type SaleState } from "./api";

/** Without events: often enough to see a sale sell out, seldom enough for every visitor to do so. */
const POLL_INTERVAL_MS = 3_000;

export function useLiveSale(id: number) {
  const { data: sale, error, state, load } = useResource(() => getSaleState(id));
  let timer: ReturnType<typeof setTimeout> | undefined;

  function applyUpdate(update: Partial<SaleState>): void {
    if (sale.value !== undefined) sale.value = { ...sale.value, ...update };
  }

  /** A failure leaves the last state in place: the next poll is near. */
  async function refresh(): Promise<void> {
    const latest = await getSaleState(id).catch(() => undefined);
    if (latest !== undefined && sale.value !== undefined) sale.value = latest;
  }

  const { live } = useEventStream({
    url: saleEventsUrl(id),
    event: "message",
    onData: (data) => applyUpdate(readSaleEvent(data) ?? {}),
    enabled: () => sale.value !== undefined,
  });

  /** Jittered, so that pages do not poll in step. */
  function poll(): void {
    clearTimeout(timer);
    if (live.value) return;
    timer = setTimeout(() => {
      if (document.visibilityState === "visible") void refresh();
      poll();
    }, POLL_INTERVAL_MS * (0.75 + Math.random() / 2));
  }

  watch(live, poll, { immediate: true });
  onScopeDispose(() => clearTimeout(timer));

  return { sale, error, state, load, refresh, applyUpdate, live };
}
