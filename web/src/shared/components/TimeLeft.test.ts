import { mount } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nextTick } from "vue";
import { resetServerTime, syncServerTime } from "@/shared/serverClock";
import { plugins } from "@/shared/testing";
import TimeLeft from "./TimeLeft.vue";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] }));
afterEach(() => {
  resetServerTime();
  vi.useRealTimers();
});

async function clock(untilMs: number) {
  syncServerTime(1_000_000);
  return mount(TimeLeft, { props: { untilMs }, global: { plugins: await plugins() } });
}

test("it runs down second by second and says once that it is over", async () => {
  const left = await clock(1_002_000);
  const seen = [left.text()];
  for (let second = 0; second < 4; second += 1) {
    vi.advanceTimersByTime(1000);
    await nextTick();
    seen.push(left.text());
  }
  expect(seen).toEqual(["00:00:02", "00:00:01", "00:00:00", "00:00:00", "00:00:00"]);
  expect(left.emitted("over")).toHaveLength(1);
});

test("days are compared by year, month and day", async () => {
  expect((await clock(1_000_000 + 90_061_000)).text()).toMatch(/^1 天\s01:01:01$/);
});
