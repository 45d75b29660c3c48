import { afterEach, beforeEach, expect, test } from "vitest";
import { resetServerTime, syncServerTime } from "@/shared/serverClock";
import { withSetup } from "@/shared/testing";
import { useRelativeTime } from "./useRelativeTime";

const NOW_MS = Date.UTC(2026, 10, 15, 12);

beforeEach(() => syncServerTime(NOW_MS));
afterEach(resetServerTime);

test("relative times follow the server's clock, not the device's", async () => {
  const { result: relativeTime } = await withSetup(useRelativeTime);
  expect(relativeTime(NOW_MS - 180_000)).toBe("3分钟前");
  expect(relativeTime(NOW_MS - 1_000)).toBe("刚刚");
});
