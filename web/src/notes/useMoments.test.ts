import { afterEach, beforeEach, expect, test } from "vitest";
import { forgetServerTime, hearServerTime } from "@/shared/serverClock";
import { withSetup } from "@/shared/testing";
import { useMoments } from "./useMoments";

const NOW_MS = Date.UTC(2026, 10, 15, 12);

beforeEach(() => hearServerTime(NOW_MS));
afterEach(forgetServerTime);

test("moments are told by the server's clock, whatever the reader's shows", async () => {
  const { result: momentOf } = await withSetup(useMoments);
  expect(momentOf(NOW_MS - 180_000)).toBe("3分钟前");
  expect(momentOf(NOW_MS - 1_000)).toBe("刚刚");
});
