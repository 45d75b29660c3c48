// Opening hours as shops write them, `10:00-14:00,17:00-02:00`, evaluated in the site's time zone: a shop
// in Hangzhou is closed at midnight there, whatever the visitor's time zone. Other text is ignored.

const DAY_MINUTES = 24 * 60;
const SPAN = /^(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})$/;

/** Minutes since midnight; an end before its start is on the next day. */
interface Span {
  from: number;
  to: number;
}

type OpenState = { open: true; until: string | null } | { open: false; from: string };

/** Undefined when the hours cannot be read. Always open has no `until`. */
export function openState(hours: string | undefined, minuteOfDay: number): OpenState | undefined {
  const spans = spansOf(hours ?? "");
  if (spans === undefined) return undefined;
  const current = spans.find((span) => covers(span, minuteOfDay));
  if (current !== undefined) return { open: true, until: isWholeDay(current) ? null : clock(current.to) };
  const waits = spans.map(({ from }) => ({ from, wait: (from - minuteOfDay + DAY_MINUTES) % DAY_MINUTES }));
  const soonest = waits.reduce((best, next) => (next.wait < best.wait ? next : best));
  return { open: false, from: clock(soonest.from) };
}

/** The minute of the day in a zone that is this far from UTC. */
export function minuteOfDay(nowMs: number, utcOffsetSecs: number): number {
  const minutes = Math.floor((nowMs / 1000 + utcOffsetSecs) / 60);
  return ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
}

function spansOf(hours: string): [Span, ...Span[]] | undefined {
  const spans = hours.split(",").map((part) => spanOf(part.trim()));
  const [first, ...rest] = spans.filter((span) => span !== undefined);
  return first !== undefined && rest.length + 1 === spans.length ? [first, ...rest] : undefined;
}

function spanOf(text: string): Span | undefined {
  const [, fromHour, fromMinute, toHour, toMinute] = (SPAN.exec(text) ?? []).map(Number);
  if (fromHour === undefined || fromMinute === undefined || toHour === undefined || toMinute === undefined) return undefined;
  const span = { from: fromHour * 60 + fromMinute, to: toHour * 60 + toMinute };
  const sound = Math.max(fromMinute, toMinute) < 60 && span.from < DAY_MINUTES && span.to <= DAY_MINUTES;
  return sound ? span : undefined;
}

function covers(span: Span, minute: number): boolean {
  if (isWholeDay(span)) return true;
  return span.from < span.to ? span.from <= minute && minute < span.to : span.from <= minute || minute < span.to;
}

/** `00:00-24:00`, and a start that is its own end. */
function isWholeDay({ from, to }: Span): boolean {
  return from % DAY_MINUTES === to % DAY_MINUTES;
}

function clock(minutes: number): string {
  const pad = (n: number) => String(n).padStart(2, "0");
  return `${pad(Math.floor(minutes / 60) % 24)}:${pad(minutes % 60)}`;
}
