// Paid orders kept in this browser, so that a code can be shown where there is no network: a basement is where vouchers
// are used. Invariants: the copies are of one user, and nobody else's are ever added to them; at most KEPT_MAX; only
// orders that can be used. Without an owner nothing is kept: a reply that arrives after signing out, in this tab or in
// another, leaves nothing behind. Storage may be blocked or full: then nothing is kept, and nothing breaks.
import { ORDER_STATUS, type Order } from "./api";
import { NO_DETAILS, type VoucherDetails } from "./voucherDetails";

/** The newest; some two kilobytes each, a fiftieth of what a browser grants. */
export const KEPT_MAX = 50;
const STORE = "tandian.orders";
/** Rises when the shape changes; copies of another shape are dropped. */
const SHAPE = 1;

export interface KeptOrder {
  order: Order;
  details: VoucherDetails;
  /** When the server said so. */
  asOfMs: number;
}

interface Kept {
  shape: typeof SHAPE;
  owner: number;
  list: readonly KeptOrder[];
}

/** This user is signed in. Copies of anybody else's orders are removed. */
export function openKept(owner: number): void {
  if (read()?.owner !== owner) write({ shape: SHAPE, owner, list: [] });
}

/** Nobody is signed in any more. */
export function wipeKept(): void {
  try {
    localStorage.removeItem(STORE);
  } catch {
    // Nothing was stored.
  }
}

/** The orders as the server has just described them: those that can be used are kept, others are not any more. */
export function keepOrders(orders: readonly Order[], asOfMs: number): void {
  change((kept) => {
    const mine = orders.filter((order) => order.userId === kept.owner);
    const seen = new Map(mine.map((order) => [order.id, order]));
    const others = kept.list.filter(({ order }) => !seen.has(order.id));
    const details = new Map(kept.list.map((copy) => [copy.order.id, copy.details]));
    const fresh = mine.filter(isUsable).map((order) => ({ order, details: details.get(order.id) ?? NO_DETAILS, asOfMs }));
    return [...fresh, ...others].sort(newestFirst).slice(0, KEPT_MAX);
  });
}

/** Does nothing for an order that is not kept. */
export function keepDetails(id: string, details: VoucherDetails): void {
  change((kept) => kept.list.map((copy) => (copy.order.id === id ? { ...copy, details } : copy)));
}

/** These are all that can be used. */
export function retainKept(ids: ReadonlySet<string>): void {
  change((kept) => kept.list.filter(({ order }) => ids.has(order.id)));
}

export function dropKept(id: string): void {
  change((kept) => kept.list.filter(({ order }) => order.id !== id));
}

export function keptOrder(id: string): KeptOrder | undefined {
  return listKept().find(({ order }) => order.id === id);
}

/** The newest first. */
export function listKept(): readonly KeptOrder[] {
  return read()?.list ?? [];
}

function isUsable(order: Order): boolean {
  return order.status === ORDER_STATUS.paid && order.redeemCode !== undefined && order.redeemQr !== undefined;
}

function newestFirst(a: KeptOrder, b: KeptOrder): number {
  return b.order.createTime.localeCompare(a.order.createTime);
}

/** Read anew each time: another tab may have signed out, or another user in. */
function change(next: (kept: Kept) => readonly KeptOrder[]): void {
  const kept = read();
  if (kept !== undefined) write({ ...kept, list: next(kept) });
}

function read(): Kept | undefined {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(STORE) ?? "null");
    return isKept(found) ? found : undefined;
  } catch {
    return undefined;
  }
}

/** This code alone writes it, so its shape says the rest. */
function isKept(found: unknown): found is Kept {
  return typeof found === "object" && found !== null && "shape" in found && found.shape === SHAPE;
}

/** What cannot be written is not left as it was: it may be a code that is used by now. */
function write(kept: Kept): void {
  try {
    localStorage.setItem(STORE, JSON.stringify(kept));
  } catch {
    wipeKept();
  }
}
