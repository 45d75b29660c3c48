import { flushPromises, mount } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { defineComponent, h, ref, useTemplateRef } from "vue";
import { useSessionStore } from "@/account/sessionStore";
import { ok, plugins, serve } from "@/shared/testing";
import type { Mention } from "./textParts";
import { useWritingAid } from "./useWritingAid";

const person = (id: number, nickName: string, isFollowed?: boolean) => ({ id, nickName, icon: "", ...(isFollowed !== undefined && { isFollowed }) });
const FOLLOWEES = "GET /api/follow/followees/7";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A text area with the aid, and somebody signed in. */
async function writing(mentionsMax = 10) {
  const given = await plugins();
  useSessionStore().me = { id: 7, nickName: "我", icon: "", roles: [] };
  const text = ref("");
  const mentions = ref<Mention[]>([]);
  let aid!: ReturnType<typeof useWritingAid>;
  const Field = defineComponent(() => {
    const field = useTemplateRef<HTMLTextAreaElement>("field");
    aid = useWritingAid({ text, mentions, field, mentionsMax, topics: true });
    return () => h("textarea", { ref: "field", value: text.value });
  });
  const field = mount(Field, { global: { plugins: given }, attachTo: document.body });
  const element = field.element as HTMLTextAreaElement;
  async function type(written: string): Promise<void> {
    text.value = written;
    await flushPromises();
    element.setSelectionRange(written.length, written.length);
    aid.look();
    await vi.advanceTimersByTimeAsync(300);
    await flushPromises();
  }
  const press = (key: string, init: KeyboardEventInit = {}) => aid.onKey(new KeyboardEvent("keydown", { key, cancelable: true, ...init }));
  const names = () => aid.choices.value.map((choice) => choice.person?.name ?? choice.topic?.name);
  return { aid, text, mentions, type, press, names, element };
}

test("those one follows come first, then others, and never oneself", async () => {
  serve({
    [FOLLOWEES]: ok({ list: [person(2, "阿福"), person(3, "小满")] }),
    [`GET /api/search/people?q=${encodeURIComponent("小")}`]: ok({
      list: [person(9, "小鱼", false), person(3, "小满", true), person(7, "小我", false), person(8, "小川", true)],
    }),
  });
  const { type, names, aid } = await writing();
  await type("@");
  expect(names()).toEqual(["阿福", "小满"]);
  await type("和@小");
  expect(names()).toEqual(["小满", "小川", "小鱼"]);
  expect(aid.active.value).toBe(0);
});

test("the arrow keys and Enter choose, and the name is put where it was typed", async () => {
  serve({ [FOLLOWEES]: ok({ list: [person(2, "Ann Lee"), person(3, "Anton")] }), "GET /api/search/people?q=an": ok({ list: [] }) });
  const { type, press, text, mentions, aid, element } = await writing();
  await type("去 @an");
  expect(press("Enter", { isComposing: true })).toBe(false);
  expect([press("ArrowDown"), press("ArrowUp"), press("Enter")]).toEqual([true, true, true]);
  await flushPromises();
  expect(text.value).toBe("去 @Ann Lee ");
  expect(mentions.value).toEqual([{ userId: 2, name: "Ann Lee" }]);
  expect(element.selectionStart).toBe(text.value.length);
  expect([aid.open.value, press("Enter"), press("Escape")]).toEqual([false, false, false]);
});

test("Escape closes the list until something else is typed", async () => {
  serve({ [FOLLOWEES]: ok({ list: [person(2, "Ann")] }), "GET /api/search/people?q=a": ok({ list: [] }) });
  const { type, press, aid } = await writing();
  await type("@");
  expect(press("Escape")).toBe(true);
  expect(aid.open.value).toBe(false);
  await type("@a");
  expect(aid.open.value).toBe(true);
  aid.close();
  expect(aid.open.value).toBe(false);
});

test("more people than a text may mention are not chosen", async () => {
  serve({ [FOLLOWEES]: ok({ list: [person(2, "Ann"), person(3, "Bob")] }), "GET /api/search/people?q=b": ok({ list: [] }) });
  const { type, press, text, mentions } = await writing(1);
  await type("@");
  press("Enter");
  await type(`${text.value}@b`);
  press("Enter");
  expect(text.value).toBe("@Ann @b");
  expect(mentions.value).toHaveLength(1);
});

test("a topic is offered with its notes, and a new one is not in its way", async () => {
  serve({ [`GET /api/topic/suggestions?q=${encodeURIComponent("西")}`]: ok([{ name: "西湖夜宵", notes: 3 }]) });
  const { type, press, names, text } = await writing();
  await type("#西");
  expect(names()).toEqual(["西湖夜宵"]);
  expect(press("Enter")).toBe(false);
  press("ArrowDown");
  expect(press("Enter")).toBe(true);
  expect(text.value).toBe("#西湖夜宵# ");
});

test("without the server nothing is offered, and writing goes on", async () => {
  serve({});
  const { type, press, aid } = await writing();
  await type("@小");
  expect(aid.open.value).toBe(false);
  expect(press("Enter")).toBe(false);
});
