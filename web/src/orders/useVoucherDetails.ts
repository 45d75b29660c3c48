// The details of a paid order on its page: what is known at once, then what the server says, loaded again with the order
// until all of it was there.
import { onScopeDispose, shallowRef, watch, type Ref } from "vue";
import { ORDER_STATUS, type Order } from "./api";
import { keepDetails } from "./keptOrders";
import { loadDetails, NO_DETAILS, type DetailSources, type VoucherDetails } from "./voucherDetails";

export function useVoucherDetails(order: Readonly<Ref<Order | undefined>>, sources: DetailSources, known = NO_DETAILS) {
  const details = shallowRef<VoucherDetails>(known);
  let loaded = false;
  let newest = 0;

  async function load(of: Order): Promise<void> {
    const mine = ++newest;
    const found = await loadDetails(of, sources, details.value);
    if (mine !== newest) return;
    details.value = found;
    keepDetails(of.id, found);
    loaded = found.isComplete;
  }

  watch(
    order,
    (now) => {
      if (now?.status === ORDER_STATUS.paid && !loaded) void load(now);
    },
    { immediate: true },
  );
  onScopeDispose(() => (newest = -1));

  return details;
}
