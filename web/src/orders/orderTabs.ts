// How my orders are sorted into lists. A refund under way and one that is done belong together, and the server lists one
// status at a time: such a list is read one status after the other.
import { listOrders, ORDER_STATUS, type Order } from "./api";

export type OrderTab = "all" | "unpaid" | "paid" | "used" | "refund" | "cancelled";

/** An empty list of statuses stands for all of them. */
const STATUSES: Record<OrderTab, readonly number[]> = {
  all: [],
  unpaid: [ORDER_STATUS.unpaid],
  paid: [ORDER_STATUS.paid],
  used: [ORDER_STATUS.used],
  refund: [ORDER_STATUS.refunding, ORDER_STATUS.refunded],
  cancelled: [ORDER_STATUS.cancelled],
};

export const ORDER_TABS = Object.keys(STATUSES) as readonly OrderTab[];

/** Addresses name a list by a status of it. */
export function tabOf(status: unknown): OrderTab {
  const asked = Number(status);
  return ORDER_TABS.find((tab) => STATUSES[tab].includes(asked)) ?? "all";
}

export function statusOf(tab: OrderTab): number | undefined {
  return STATUSES[tab].at(-1);
}

/** Where a list goes on: in which of its statuses, and from where there. */
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
