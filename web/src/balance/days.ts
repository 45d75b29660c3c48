// Entries of a balance by the day of the site's clock on which they were booked.
import type { BalanceEntry } from "./api";

export interface Day {
  /** `YYYY-MM-DD`. */
  day: string;
  entries: BalanceEntry[];
}

/** The entries are in order, so those of a day are next to each other. */
export function byDay(entries: readonly BalanceEntry[]): Day[] {
  const days: Day[] = [];
  for (const entry of entries) {
    const day = entry.createTime.slice(0, 10);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
