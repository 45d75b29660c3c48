// An order on its page, from the server or from its copy in this browser. The copy is shown until the server replies, and
// says how old it is once that takes too long; a refusal (not mine, not there) ends it.
import { computed, ref, watch, type Ref } from "vue";
import { isTransient } from "@/shared/idempotencyKeys";
import { serverNowMs } from "@/shared/serverClock";
import type { Order } from "./api";
import { dropKept, keepOrders, keptOrder } from "./keptOrders";
import type { OrderState } from "./useOrder";
import { usePatience } from "./usePatience";

interface Loaded {
  order: Readonly<Ref<Order | undefined>>;
  state: Readonly<Ref<OrderState>>;
  error: Readonly<Ref<unknown>>;
}

export function useOrderCopy(id: string, loaded: Loaded, online: Readonly<Ref<boolean>>) {
  const copy = keptOrder(id);
  const refused = ref(false);
  const loadedAtMs = ref<number>();
  const late = usePatience(() => loaded.state.value === "loading");

  const order = computed(() => loaded.order.value ?? (refused.value ? undefined : copy?.order));
  /** When what is shown was so, while that cannot be checked. */
  const asOfMs = computed(() => {
    if (order.value === undefined) return undefined;
    if (loaded.order.value !== undefined) return online.value ? undefined : loadedAtMs.value;
    return late.value || !online.value || loaded.state.value === "failed" ? copy?.asOfMs : undefined;
  });

  watch(
    loaded.order,
    (now) => {
      if (now === undefined) return;
      loadedAtMs.value = serverNowMs();
      keepOrders([now], loadedAtMs.value);
    },
    { immediate: true },
  );
  watch(loaded.error, (failure) => {
    if (failure === undefined || isTransient(failure)) return;
    refused.value = true;
    dropKept(id);
  });

  return { order, asOfMs, details: copy?.details };
}
