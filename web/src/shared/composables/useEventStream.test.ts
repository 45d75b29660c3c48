import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope, type EffectScope } from "vue";
import { FakeStream, showPage } from "@/shared/testing";
import { useEventStream } from "./useEventStream";

const onData = vi.fn();
const onOpen = vi.fn();
let scope: EffectScope;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("EventSource", FakeStream);
  FakeStream.all = [];
  onData.mockReset();
  onOpen.mockReset();
  scope = effectScope();
});
afterEach(() => {
  scope.stop();
  showPage("visible");
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function listen() {
  const it = scope.run(() => useEventStream({ url: "/events", event: "notice", onData, onOpen }));
  if (!it) throw new Error("the scope is active");
  return it;
}

test("what arrives is handed on", () => {
  const { live } = listen();
  FakeStream.last().open();
  FakeStream.last().emit("notice", '{"id":7}');
  expect(live.value).toBe(true);
  expect(onOpen).toHaveBeenCalledOnce();
  expect(onData).toHaveBeenCalledWith({ id: 7 });
});

test("what is no JSON breaks nothing", () => {
  listen();
  FakeStream.last().emit("notice", "{");
  expect(onData).toHaveBeenCalledWith(undefined);
});

test("a broken stream is left to the browser, which begins it again", () => {
  const { live } = listen();
  FakeStream.last().open();
  FakeStream.last().break();
  expect(live.value).toBe(false);
  vi.advanceTimersByTime(60_000);
  expect(FakeStream.all).toHaveLength(1);
});

test("a refused stream is opened again after a delay", () => {
  const { live } = listen();
  FakeStream.last().refuse();
  expect(live.value).toBe(false);
  vi.advanceTimersByTime(9_999);
  expect(FakeStream.all).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(FakeStream.all).toHaveLength(2);
});

test("a hidden page holds no stream, and a visible one has one again", () => {
  const { live } = listen();
  FakeStream.last().open();
  showPage("hidden");
  expect(FakeStream.all.filter((stream) => stream.readyState !== FakeStream.CLOSED)).toEqual([]);
  expect(live.value).toBe(false);
  showPage("visible");
  expect(FakeStream.all).toHaveLength(2);
});

test("a page that is gone leaves neither stream nor timer", () => {
  listen();
  FakeStream.last().refuse();
  scope.stop();
  expect(vi.getTimerCount()).toBe(0);
  showPage("visible");
  expect(FakeStream.all).toHaveLength(1);
});
