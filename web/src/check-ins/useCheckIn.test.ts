import { afterEach, expect, test, vi } from "vitest";
import { ok, serve, withSetup } from "@/shared/testing";
import { useCheckIn } from "./useCheckIn";

// The browser's own calendar is of no concern: the site's says what day it is.
const TODAY = "2026-03-02";

afterEach(() => vi.unstubAllGlobals());

/** A server on 2 March 2026 with a person who checked in on the two days before. */
function server() {
  const march = new Set([1]);
  return serve({
    "GET /api/user/sign/month": () => ok({ days: [...march], count: march.size, today: march.has(2), date: TODAY }),
    "GET /api/user/sign/month?ym=202602": ok({ days: [3, 28], count: 2, today: false, date: TODAY }),
    "GET /api/user/sign/count": () => ok(march.has(2) ? 3 : 2),
    "POST /api/user/sign": () => {
      march.add(2);
      return ok();
    },
  });
}

const posts = (requests: { line: string }[]) => requests.filter(({ line }) => line.startsWith("POST"));

test("the week up to today is put together over the turn of the month", async () => {
  server();
  const { result } = await withSetup(useCheckIn);
  await result.load();
  expect(result.summary.value?.streak).toBe(2);
  expect(result.summary.value?.checkedIn).toBe(false);
  expect(result.summary.value?.week.filter((day) => day.checkedIn).map(({ day }) => day)).toEqual([
    "2026-02-28",
    "2026-03-01",
  ]);
});

test("checking in shows what the server says then", async () => {
  server();
  const { result } = await withSetup(useCheckIn);
  await result.load();
  expect(await result.checkIn()).toBe(true);
  expect(result.summary.value).toMatchObject({ checkedIn: true, streak: 3 });
  expect(result.summary.value?.week.at(-1)).toEqual({ day: "2026-03-02", checkedIn: true });
});

test("two quick taps, and a tap on a day that is done, send one check-in", async () => {
  const requests = server();
  const { result } = await withSetup(useCheckIn);
  await result.load();
  expect(await Promise.all([result.checkIn(), result.checkIn()])).toEqual([true, false]);
  expect(await result.checkIn()).toBe(false);
  expect(posts(requests)).toHaveLength(1);
});

test("a failed check-in is reported, and nothing is shown as done", async () => {
  const requests = serve({
    "GET /api/user/sign/month": ok({ days: [], count: 0, today: false, date: TODAY }),
    "GET /api/user/sign/month?ym=202602": ok({ days: [], count: 0, today: false, date: TODAY }),
    "GET /api/user/sign/count": ok(0),
  });
  const { result } = await withSetup(useCheckIn);
  await result.load();
  await expect(result.checkIn()).rejects.toMatchObject({ code: "network" });
  expect(result.summary.value?.checkedIn).toBe(false);
  expect(posts(requests)).toHaveLength(1);
});
