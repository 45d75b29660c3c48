// Months and days of the calendar page. They have no zone and no hour: a day is `YYYY-MM-DD`, a month its year and
// number, and everything is counted in UTC, so that no clock change can shift a square.
export interface Month {
  year: number;
  /** From 1. */
  month: number;
}

/** The calendar begins here: no site has older check-ins. */
const FIRST_YEAR = 2022;
const DAYS_A_WEEK = 7;

/** The month of a day such as `2026-11-15`. */
export function monthOf(day: string): Month {
  const [year = 0, month = 0] = day.split("-").map(Number);
  return { year, month };
}

export function monthBefore({ year, month }: Month): Month {
  return month === 1 ? { year: year - 1, month: 12 } : { year, month: month - 1 };
}

export function monthAfter({ year, month }: Month): Month {
  return month === 12 ? { year: year + 1, month: 1 } : { year, month: month + 1 };
}

export function isSameMonth(one: Month, other: Month): boolean {
  return one.year === other.year && one.month === other.month;
}

/** The first month there can be anything in. */
export function isFirstMonth({ year, month }: Month): boolean {
  return year === FIRST_YEAR && month === 1;
}

/** As the server writes it: `202611`. */
export function yearMonth({ year, month }: Month): string {
  return `${year}${pad(month)}`;
}

export function dayIn({ year, month }: Month, day: number): string {
  return `${year}-${pad(month)}-${pad(day)}`;
}

/** Days of a month in rows of seven, beginning on Monday; null where another month has its days. */
export function weeksOf({ year, month }: Month): (number | null)[][] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const blanks = (new Date(Date.UTC(year, month - 1, 1)).getUTCDay() + 6) % DAYS_A_WEEK;
  const rows = Math.ceil((blanks + length) / DAYS_A_WEEK);
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: DAYS_A_WEEK }, (_, column) => {
      const day = row * DAYS_A_WEEK + column - blanks + 1;
      return day >= 1 && day <= length ? day : null;
    }),
  );
}

/** The last seven days up to this one, oldest first. */
export function weekUpTo(day: string): string[] {
  const endMs = Date.parse(`${day}T00:00:00Z`);
  return Array.from({ length: DAYS_A_WEEK }, (_, at) => {
    const date = new Date(endMs);
    date.setUTCDate(date.getUTCDate() - (DAYS_A_WEEK - 1 - at));
    return date.toISOString().slice(0, 10);
  });
}

function pad(n: number): string {
  return String(n).padStart(2, "0");
}
