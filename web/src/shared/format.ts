// Times, days and names as people read them; the one place that formats.
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Formatters by what they were made with: making one takes as long as hundreds of uses of it, and lists use many. */
const made = new Map<string, unknown>();

function madeOnce<F>(kind: string, options: object, locale: string, make: () => F): F {
  const key = `${kind} ${locale} ${JSON.stringify(options)}`;
  if (!made.has(key)) made.set(key, make());
  return made.get(key) as F;
}

function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return madeOnce("number", options, locale, () => new Intl.NumberFormat(locale, options));
}

function dateTimeFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return madeOnce("time", options, locale, () => new Intl.DateTimeFormat(locale, options));
}

/** Beyond this "n days ago" says less than the date. */
const RELATIVE_LIMIT_MS = 7 * DAY_MS;

/** "3 minutes ago" for recent moments, a date and time for the rest, null within the minute: just now. */
export function formatRelativeTime(atMs: number, nowMs: number, locale: string): string | null {
  const ageMs = Math.max(0, nowMs - atMs);
  if (ageMs >= RELATIVE_LIMIT_MS) return formatDateTime(atMs, locale);
  if (ageMs < MINUTE_MS) return null;
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  if (ageMs < HOUR_MS) return relative.format(-Math.floor(ageMs / MINUTE_MS), "minute");
  if (ageMs < DAY_MS) return relative.format(-Math.floor(ageMs / HOUR_MS), "hour");
  return relative.format(-Math.floor(ageMs / DAY_MS), "day");
}

export function formatDateTime(atMs: number, locale: string): string {
  return dateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(atMs);
}

/** A moment to come, as short as it is clear: "8:00 PM" today, "tomorrow 8:00 PM", "Nov 20, 8:00 PM" later. */
export function formatMoment(atMs: number, nowMs: number, locale: string): string {
  const time = dateTimeFormat(locale, { timeStyle: "short" }).format(atMs);
  const days = Math.round((startOfDay(atMs) - startOfDay(nowMs)) / DAY_MS);
  if (days === 0) return time;
  if (days === 1) return `${new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(1, "day")} ${time}`;
  return dateTimeFormat(locale, { month: "short", day: "numeric", hour: "numeric", minute: "2-digit" }).format(atMs);
}

function startOfDay(atMs: number): number {
  return new Date(atMs).setHours(0, 0, 0, 0);
}

/** Seconds as a clock that runs down shows them: `9:05`, `1:00:00`. */
export function formatSecsLeft(secs: number): string {
  const [hours, minutes, rest] = [Math.floor(secs / 3600), Math.floor(secs / 60) % 60, secs % 60];
  const pad = (part: number) => String(part).padStart(2, "0");
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(rest)}` : `${minutes}:${pad(rest)}`;
}

/** A calendar day (`YYYY-MM-DD`) has no zone, so it is read and written in UTC: it never slips by one. */
export function formatDay(day: string, locale: string): string {
  const atMs = Date.parse(`${day}T00:00:00Z`);
  if (Number.isNaN(atMs)) return day;
  return dateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(atMs);
}

/** The person's own calendar day, `YYYY-MM-DD`. */
export function dayOf(date: Date): string {
  const pad = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
}

type PartOfDay = "night" | "morning" | "afternoon" | "evening";

export function partOfDay(hour: number): PartOfDay {
  if (hour < 5) return "night";
  if (hour < 12) return "morning";
  return hour < 18 ? "afternoon" : "evening";
}

/** The first letters of two words, or the first character of one: what a generated avatar shows. */
export function initialsOf(name: string): string {
  const words = name.split(/[\s_.-]+/u).filter((word) => word !== "");
  const first = [...(words[0] ?? "")][0];
  if (first === undefined) return "?";
  const second = /^\p{Script=Latin}/u.test(first) ? [...(words[1] ?? "")][0] : undefined;
  return (first + (second ?? "")).toUpperCase();
}

/** Counts from ten thousand on are rounded: the last digits of a number of likes mean nothing. */
export function formatCount(count: number, locale: string): string {
  const options: Intl.NumberFormatOptions = count < 10_000 ? {} : { notation: "compact", maximumFractionDigits: 1 };
  return numberFormat(locale, options).format(count);
}

/** "November 2026". */
export function formatMonth({ year, month }: { year: number; month: number }, locale: string): string {
  const first = Date.UTC(year, month - 1, 1);
  return dateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" }).format(first);
}

/** The names of the week's days from Monday: one character for a column's head, and in full for screen readers. */
export function weekdayNames(locale: string): { short: string; long: string }[] {
  const short = dateTimeFormat(locale, { weekday: "narrow", timeZone: "UTC" });
  const long = dateTimeFormat(locale, { weekday: "long", timeZone: "UTC" });
  return Array.from({ length: 7 }, (_, at) => {
    const day = Date.UTC(2024, 0, 1 + at);
    return { short: short.format(day), long: long.format(day) };
  });
}

/**
 * Cents as yuan, without empty decimals: people compare 9.9 with 10, not with 10.00. English writes both decimals or none.
 */
export function formatCents(cents: number, locale: string): string {
  const oneIsEnough = cents % 10 === 0 && locale.startsWith("zh");
  const options: Intl.NumberFormatOptions = {
    style: "currency",
    currency: "CNY",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: cents % 100 === 0 ? 0 : oneIsEnough ? 1 : 2,
    maximumFractionDigits: 2,
  };
  return numberFormat(locale, options).format(cents / 100);
}

/** What is left of a time as a clock shows it: whole days apart, the rest as `HH:MM:SS`. A started second counts. */
export function splitTimeLeft(leftMs: number): { days: number; clock: string } {
  const secs = Math.ceil(Math.max(0, leftMs) / 1000);
  const parts = [Math.floor(secs / 3600) % 24, Math.floor(secs / 60) % 60, secs % 60];
  return { days: Math.floor(secs / 86_400), clock: parts.map((part) => String(part).padStart(2, "0")).join(":") };
}

const NEAR_METRES = 1000;
const FAR_METRES = 10_000;

/** Metres in tens below a kilometre, then kilometres, with one decimal while it matters. */
export function formatDistance(metres: number, locale: string): string {
  const near = metres < NEAR_METRES - 5;
  const [value, unit] = near ? [Math.max(10, Math.round(metres / 10) * 10), "meter"] : [metres / 1000, "kilometer"];
  const maximumFractionDigits = near || metres >= FAR_METRES ? 0 : 1;
  return numberFormat(locale, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits }).format(value);
}

/** Opening hours are times apart by commas. */
export function formatHours(hours: string | undefined): string | undefined {
  return hours?.split(",").join("  ");
}

/** A shop's score is ten times its stars. */
export function formatScore(score: number, locale: string): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return numberFormat(locale, digits).format(score / 10);
}

/** A moment as the site's own clocks showed it, `YYYY-MM-DDTHH:MM:SS` without a zone: shown as it is, in no other zone. */
export function formatWallClock(time: string, locale: string): string {
  const atMs = Date.parse(`${time}Z`);
  if (Number.isNaN(atMs)) return time;
  return dateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" }).format(atMs);
}

/** The time of day of a moment as the site's own clocks showed it. */
export function formatClock(time: string, locale: string): string {
  const atMs = Date.parse(`${time}Z`);
  if (Number.isNaN(atMs)) return time;
  return dateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" }).format(atMs);
}
