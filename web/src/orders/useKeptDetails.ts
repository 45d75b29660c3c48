// Details for the copies of orders that were seen in a list only: loaded one order after the other, behind the list, so
// that a voucher whose page was never opened has its rules and its address without a network too.
import { onScopeDispose } from "vue";
import { keepDetails, listKept } from "./keptOrders";
import { loadDetails, type DetailSources } from "./voucherDetails";

export function useKeptDetails(sources: DetailSources) {
  let running = false;
  let left = false;

  /** Ends at the first order that gets no reply: the next list tries again. */
  async function fill(): Promise<void> {
    if (running) return;
    running = true;
    const shared = onceEach(sources);
    for (let copy = nextWithout(); copy !== undefined && !left; copy = nextWithout()) {
      const details = await loadDetails(copy.order, shared, copy.details);
      keepDetails(copy.order.id, details);
      if (!details.isComplete) break;
    }
    running = false;
  }

  onScopeDispose(() => (left = true));
  return fill;
}

function nextWithout() {
  return listKept().find(({ details }) => !details.isComplete);
}

/** Many orders are of one voucher and of one shop. */
function onceEach({ getOffer, getShop }: DetailSources): DetailSources {
  return { getOffer: once(getOffer), getShop: once(getShop) };
}

function once<T>(get: (id: number) => Promise<T>): (id: number) => Promise<T> {
  const asked = new Map<number, Promise<T>>();
  return (id) => {
    const found = asked.get(id) ?? get(id);
    asked.set(id, found);
    return found;
  };
}
