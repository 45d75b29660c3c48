import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope, nextTick, ref } from "vue";
import { useSuggestions } from "./useSuggestions";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

/** A source that is answered by hand, in any order. */
function box() {
  const typed = ref("");
  const requests: { text: string; signal: AbortSignal; reply: (found: string[]) => void; fail: () => void }[] = [];
  const source = (text: string, signal: AbortSignal) =>
    new Promise<string[]>((reply, reject) => requests.push({ text, signal, reply, fail: () => reject(new Error("down")) }));
  const scope = effectScope();
  const { suggestions, clear } = scope.run(() => useSuggestions(typed, source)) ?? { suggestions: ref([]), clear: () => undefined };
  const type = async (text: string) => {
    typed.value = text;
    await nextTick();
  };
  return { requests, suggestions, clear, type };
}

test("nothing is requested while typing", async () => {
  const { requests, type } = box();
  await type("牛");
  vi.advanceTimersByTime(100);
  await type("牛肉");
  vi.advanceTimersByTime(300);
  expect(requests.map(({ text }) => text)).toEqual(["牛肉"]);
});

test("an reply to earlier letters is dropped", async () => {
  const { requests, suggestions, type } = box();
  await type("牛");
  vi.advanceTimersByTime(300);
  await type("面");
  vi.advanceTimersByTime(300);
  requests[1]?.reply(["面馆"]);
  requests[0]?.reply(["牛排"]);
  await flushPromises();
  expect(suggestions.value).toEqual(["面馆"]);
});

test("without a text there are no suggestions, even if a reply arrives late", async () => {
  const { requests, suggestions, type } = box();
  await type("面");
  vi.advanceTimersByTime(300);
  await type(" ");
  requests[0]?.reply(["面馆"]);
  await flushPromises();
  expect(suggestions.value).toEqual([]);
});

test("a search that was sent wants no more suggestions", async () => {
  const { requests, clear, type } = box();
  await type("面");
  clear();
  vi.advanceTimersByTime(300);
  expect(requests).toEqual([]);
});

test("suggestions that cannot be had are none", async () => {
  const { requests, suggestions, type } = box();
  await type("面");
  vi.advanceTimersByTime(300);
  requests[0]?.fail();
  await flushPromises();
  expect(suggestions.value).toEqual([]);
});

test("the next letter ends the request under way, and so does leaving the page", async () => {
  const { requests, type, clear } = box();
  await type("牛");
  vi.advanceTimersByTime(300);
  await type("牛肉");
  vi.advanceTimersByTime(300);
  expect(requests.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  clear();
  expect(requests[1]?.signal.aborted).toBe(true);
});
