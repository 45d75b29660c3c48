// The phase of a flash sale: the rules that its cards and page share.
type SalePhase = "waiting" | "open" | "sold_out" | "ended";

interface SaleTerms {
  stock?: number | undefined;
  beginAtMs?: number | undefined;
  endAtMs?: number | undefined;
}

/** The window comes before the stock: nothing is sold out that has not begun or is over. */
export function salePhase({ stock = 0, beginAtMs = 0, endAtMs = 0 }: SaleTerms, nowMs: number): SalePhase {
  if (nowMs >= endAtMs) return "ended";
  if (nowMs < beginAtMs) return "waiting";
  return stock > 0 ? "open" : "sold_out";
}

/** The sold share, from 0 to 100. Not 100 while a unit is left, and not 0 once one is sold. */
export function soldPercent(stock: number, total: number): number {
  if (total <= 0 || stock <= 0) return 100;
  const sold = Math.max(0, total - stock);
  return sold === 0 ? 0 : Math.min(99, Math.max(1, Math.round((sold / total) * 100)));
}

/** What can be bought comes first, then what will be; what is sold out or over comes last. Else the order stays. */
const RANKS: Record<SalePhase, number> = { open: 0, waiting: 1, sold_out: 2, ended: 3 };

export function buyableFirst<T extends SaleTerms>(sales: readonly T[], nowMs: number): T[] {
  const rank = (sale: T) => RANKS[salePhase(sale, nowMs)];
  return [...sales].sort((one, other) => rank(one) - rank(other));
}
