import { beforeEach, expect, test } from "vitest";
import { forgetServerTime } from "@/serverClock";
import { useSiteStore } from "@/stores/site";
import { ok, serve, withSetup } from "@/testing";
import { useSiteMoments } from "./useSiteMoments";

beforeEach(forgetServerTime);

/** Somewhere, at noon in Greenwich, on a site whose clocks are so far ahead. */
async function at(utcOffsetSecs: number) {
  serve({ "GET /api/site": ok({ utcOffsetSecs, nowMs: Date.UTC(2026, 10, 15, 12), contacts: [] }) });
  const { result } = await withSetup(useSiteMoments);
  await useSiteStore().load();
  return result;
}

test("a time is read by the site's clocks, wherever the reader is", async () => {
  expect((await at(8 * 3600))("2026-11-15T19:57:00")).toBe("3分钟前");
  expect((await at(-3600))("2026-11-15T10:57:00")).toBe("3分钟前");
});

test("what has only just happened is just now, and nonsense stays as it is", async () => {
  const momentOf = await at(0);
  expect(momentOf("2026-11-15T11:59:30")).toBe("刚刚");
  expect(momentOf("soon")).toBe("soon");
});
