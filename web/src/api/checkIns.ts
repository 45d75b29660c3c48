// Checking in once a day, by the site's calendar and not by the browser's.
import { yearMonth, type Month } from "@/months";
import { call, type DataOf } from "./client";

export type Calendar = NonNullable<DataOf<"get", "/api/user/sign/month">>;

const NOTHING: Calendar = { days: [], count: 0, today: false };

/** Twice is once. */
export async function checkIn(): Promise<void> {
  await call("post", "/api/user/sign");
}

/** Days in a row up to today, or up to yesterday while today is still open. */
export async function countStreak(): Promise<number> {
  return (await call("get", "/api/user/sign/count")) ?? 0;
}

export async function getCalendar(month: Month): Promise<Calendar> {
  return (await call("get", "/api/user/sign/month", { query: { ym: yearMonth(month) } })) ?? NOTHING;
}
