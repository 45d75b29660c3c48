// The lists of my orders by status. Refunds in progress and done are one list, and the server lists one status at a
// time: such a list is loaded one status after the other.
import { listOrders, ORDER_STATUS, type Order } from "./api";

export type OrderTab = "all" | "unpaid" | "paid" | "used" | "refund" | "cancelled";

/** An empty list of statuses means all of them. */
const STATUSES: Record<OrderTab, readonly number[]> = {
  all: [],
  unpaid: [ORDER_STATUS.unpaid],
  paid: [ORDER_STATUS.paid],
  used: [ORDER_STATUS.used],
  refund: [ORDER_STATUS.refunding, ORDER_STATUS.refunded],
  cancelled: [ORDER_STATUS.cancelled],
};

export const ORDER_TABS = Object.keys(STATUSES) as readonly OrderTab[];

/** A URL names a list by one of its statuses. */
export function tabOf(status: unknown): OrderTab {
  const wanted = Number(status);
  return ORDER_TABS.find((tab) => STATUSES[tab].includes(wanted)) ?? "all";
}

export function statusOf(tab: OrderTab): number | undefined {
  return STATUSES[tab].at(-1);
}

/** The next page of a list: which of its statuses, and the server's cursor there. */
export interface OrderCursor {
  at: number;
  cursor: string | undefined;
}

export async function loadOrders(
  tab: OrderTab,
  from: OrderCursor = { at: 0, cursor: undefined },
): Promise<{ items: Order[]; next: OrderCursor | undefined }> {
  const statuses = STATUSES[tab];
  const status = statuses[from.at];
  const page = await listOrders({
    ...(status === undefined ? {} : { status }),
    ...(from.cursor === undefined ? {} : { cursor: from.cursor }),
  });
  if (page.cursor !== undefined) return { items: page.list, next: { at: from.at, cursor: page.cursor } };
  const isLast = from.at + 1 >= statuses.length;
  return { items: page.list, next: isLast ? undefined : { at: from.at + 1, cursor: undefined } };
}
