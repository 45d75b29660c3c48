// One order, from the moment it is granted. While it is not in SQL yet it is polled with growing delays; a poll that fails
// meanwhile changes nothing, since the order stays granted.
import { computed, onScopeDispose, ref, shallowRef, toValue, watch, type MaybeRefOrGetter } from "vue";
import { ApiError } from "@/shared/api/client";
import type { ResourceState } from "@/shared/composables/useResource";
import { isTransient } from "@/shared/idempotencyKeys";
import { getOrder, type Order } from "./api";

const FIRST_POLL_MS = 250;
/** About once a second, which the server's limits allow. */
const LONGEST_DELAY_MS = 1_500;

/** `processing`: granted, and not in SQL yet; `lost`: dead-lettered, and its unit returned to stock. */
export type OrderState = "loading" | "processing" | "ready" | "lost" | "failed";

/** Loads the order, and again when the id changes; without an id nothing is loaded. */
export function useOrder(id: MaybeRefOrGetter<string | null>) {
  const order = shallowRef<Order>();
  const state = ref<OrderState>("loading");
  const error = shallowRef<unknown>();
  /** Granted, and not in SQL yet or never. */
  const pending = computed(() => (state.value === "processing" || state.value === "lost" ? state.value : null));
  /** For pages that show the order itself. */
  const resource = computed<ResourceState>(() => {
    if (order.value !== undefined) return "ready";
    return state.value === "failed" ? "failed" : "loading";
  });
  let newest = 0;
  let polls = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function load(): Promise<void> {
    const orderId = toValue(id);
    const mine = ++newest;
    clearTimeout(timer);
    if (orderId === null) return;
    if (state.value === "failed") state.value = "loading";
    try {
      const found = await getOrder(orderId);
      if (mine === newest) show(found);
    } catch (failure) {
      if (mine === newest) fail(failure);
    }
  }

  function show(found: Order | null): void {
    if (found === null) return pollAgain();
    order.value = found;
    state.value = "ready";
  }

  function fail(failure: unknown): void {
    if (state.value === "processing" && isTransient(failure)) return pollAgain();
    error.value = failure;
    state.value = failure instanceof ApiError && failure.code === "order_failed" ? "lost" : "failed";
  }

  function pollAgain(): void {
    state.value = "processing";
    timer = setTimeout(() => void load(), Math.min(LONGEST_DELAY_MS, FIRST_POLL_MS * 1.5 ** polls));
    polls += 1;
  }

  /** On a failure the order stays as it is shown. Resolves with whether it is as the server has just described it. */
  async function refresh(): Promise<boolean> {
    const orderId = toValue(id);
    if (orderId === null || state.value !== "ready") {
      await load();
      return state.value === "ready";
    }
    const mine = ++newest;
    const found = await getOrder(orderId).catch(() => null);
    if (mine !== newest || found === null) return false;
    show(found);
    return true;
  }

  watch(
    () => toValue(id),
    () => {
      order.value = undefined;
      state.value = "loading";
      polls = 0;
      void load();
    },
    { immediate: true },
  );
  onScopeDispose(() => {
    newest = -1;
    clearTimeout(timer);
  });

  return { order, state, pending, resource, error, load, refresh };
}
