// How a flash sale stands, kept up to date: by the server's events, and by asking while there are none.
// Events tell what everybody may know, so what is the asker's own (order, token) is kept from the last answer.
import { onScopeDispose, watch } from "vue";
import { useEventStream } from "@/shared/composables/useEventStream";
import { useResource } from "@/shared/composables/useResource";
import { getSaleState, readSaleEvent, saleEventsUrl, type SaleState } from "./api";

/** Without events: often enough to see a sale sell out, seldom enough for everybody to do so. */
const POLL_MS = 3_000;

export function useLiveSale(id: number) {
  const { data: sale, error, state, load } = useResource(() => getSaleState(id));
  let timer: ReturnType<typeof setTimeout> | undefined;

  function learn(news: Partial<SaleState>): void {
    if (sale.value !== undefined) sale.value = { ...sale.value, ...news };
  }

  /** What is shown stays when asking fails: old news are better than none, and the next try is near. */
  async function refresh(): Promise<void> {
    const latest = await getSaleState(id).catch(() => undefined);
    if (latest !== undefined && sale.value !== undefined) sale.value = latest;
  }

  const { live } = useEventStream({
    url: saleEventsUrl(id),
    event: "message",
    onData: (data) => learn(readSaleEvent(data) ?? {}),
    wanted: () => sale.value !== undefined,
  });

  function poll(): void {
    clearTimeout(timer);
    if (live.value) return;
    timer = setTimeout(() => {
      if (document.visibilityState === "visible") void refresh();
      poll();
    }, POLL_MS * (0.75 + Math.random() / 2));
  }

  watch(live, poll, { immediate: true });
  onScopeDispose(() => clearTimeout(timer));

  return { sale, error, state, load, refresh, learn, live };
}
