// One order, from the grant on. While it is on its way to SQL it is asked for again with growing pauses; a look that
// fails meanwhile changes nothing, for the order is as granted as before.
import { computed, onScopeDispose, ref, shallowRef, toValue, watch, type MaybeRefOrGetter } from "vue";
import { ApiError } from "@/shared/api/client";
import type { ResourceState } from "@/shared/composables/useResource";
import { isInDoubt } from "@/shared/requestKeys";
import { getOrder, type Order } from "./api";

const FIRST_LOOK_MS = 250;
/** About once a second: what the server lets everybody do. */
const LONGEST_PAUSE_MS = 1_500;

/** `on_its_way`: granted, and not in SQL yet; `lost`: SQL could not take it, and the piece was given back. */
export type OrderState = "loading" | "on_its_way" | "ready" | "lost" | "failed";

/** Loads by itself, and anew when the id changes; without an id there is nothing to load. */
export function useOrder(id: MaybeRefOrGetter<string | null>) {
  const order = shallowRef<Order>();
  const state = ref<OrderState>("loading");
  const error = shallowRef<unknown>();
  /** Granted and not to be shown yet, or never. */
  const pending = computed(() => (state.value === "on_its_way" || state.value === "lost" ? state.value : null));
  /** For pages that show the order itself. */
  const resource = computed<ResourceState>(() => {
    if (order.value !== undefined) return "ready";
    return state.value === "failed" ? "failed" : "loading";
  });
  let newest = 0;
  let looks = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function load(): Promise<void> {
    const asked = toValue(id);
    const mine = ++newest;
    clearTimeout(timer);
    if (asked === null) return;
    if (state.value === "failed") state.value = "loading";
    try {
      const found = await getOrder(asked);
      if (mine === newest) show(found);
    } catch (failure) {
      if (mine === newest) fail(failure);
    }
  }

  function show(found: Order | null): void {
    if (found === null) return lookAgain();
    order.value = found;
    state.value = "ready";
  }

  function fail(failure: unknown): void {
    if (state.value === "on_its_way" && isTransient(failure)) return lookAgain();
    error.value = failure;
    state.value = failure instanceof ApiError && failure.code === "order_failed" ? "lost" : "failed";
  }

  function lookAgain(): void {
    state.value = "on_its_way";
    timer = setTimeout(() => void load(), Math.min(LONGEST_PAUSE_MS, FIRST_LOOK_MS * 1.5 ** looks));
    looks += 1;
  }

  /** Shows what is newer; what is shown stays if that cannot be had. */
  async function refresh(): Promise<void> {
    const asked = toValue(id);
    if (asked === null || state.value !== "ready") return load();
    const mine = ++newest;
    const found = await getOrder(asked).catch(() => null);
    if (mine === newest && found !== null) show(found);
  }

  watch(
    () => toValue(id),
    () => {
      order.value = undefined;
      state.value = "loading";
      looks = 0;
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

function isTransient(failure: unknown): boolean {
  return isInDoubt(failure) || (failure instanceof ApiError && failure.status === 429);
}
