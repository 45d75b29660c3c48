import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { effectScope, nextTick, ref } from "vue";
import { useSuggestions } from "./useSuggestions";

beforeEach(() => vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => vi.useRealTimers());

/** A source that is answered by hand, in any order. */
function box() {
  const typed = ref("");
  const asked: { text: string; answer: (found: string[]) => void; fail: () => void }[] = [];
  const source = (text: string) =>
    new Promise<string[]>((answer, reject) => asked.push({ text, answer, fail: () => reject(new Error("down")) }));
  const scope = effectScope();
  const { suggestions, clear } = scope.run(() => useSuggestions(typed, source)) ?? { suggestions: ref([]), clear: () => undefined };
  const type = async (text: string) => {
    typed.value = text;
    await nextTick();
  };
  return { asked, suggestions, clear, type };
}

test("nobody is asked while the typing goes on", async () => {
  const { asked, type } = box();
  await type("牛");
  vi.advanceTimersByTime(100);
  await type("牛肉");
  vi.advanceTimersByTime(300);
  expect(asked.map(({ text }) => text)).toEqual(["牛肉"]);
});

test("an answer to earlier letters is dropped", async () => {
  const { asked, suggestions, type } = box();
  await type("牛");
  vi.advanceTimersByTime(300);
  await type("面");
  vi.advanceTimersByTime(300);
  asked[1]?.answer(["面馆"]);
  asked[0]?.answer(["牛排"]);
  await flushPromises();
  expect(suggestions.value).toEqual(["面馆"]);
});

test("nothing typed offers nothing, even if an answer is on its way", async () => {
  const { asked, suggestions, type } = box();
  await type("面");
  vi.advanceTimersByTime(300);
  await type(" ");
  asked[0]?.answer(["面馆"]);
  await flushPromises();
  expect(suggestions.value).toEqual([]);
});

test("a search that was sent wants no more suggestions", async () => {
  const { asked, clear, type } = box();
  await type("面");
  clear();
  vi.advanceTimersByTime(300);
  expect(asked).toEqual([]);
});

test("suggestions that cannot be had are none", async () => {
  const { asked, suggestions, type } = box();
  await type("面");
  vi.advanceTimersByTime(300);
  asked[0]?.fail();
  await flushPromises();
  expect(suggestions.value).toEqual([]);
});
