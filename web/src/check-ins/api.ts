// Checking in once a day, by the site's calendar and not by the browser's.
import { ApiError, call, type DataOf } from "@/shared/api/client";
import { yearMonth, type Month } from "./months";

type Calendar = NonNullable<DataOf<"get", "/api/user/sign/month">>;

/** Idempotent. */
export async function checkIn(): Promise<void> {
  await call("post", "/api/user/sign");
}

/** Days in a row up to today, or up to yesterday while today is still open. */
export async function countStreak(): Promise<number> {
  return (await call("get", "/api/user/sign/count")) ?? 0;
}

/** Of the present month if none is named. Its `date` is the site's today, which need not be the browser's. */
export async function getCalendar(month?: Month): Promise<Calendar> {
  const calendar = await call("get", "/api/user/sign/month", month === undefined ? {} : { query: { ym: yearMonth(month) } });
  if (calendar === undefined) throw new ApiError("bad_reply", "", 200);
  return calendar;
}
