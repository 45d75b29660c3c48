import { mount } from "@vue/test-utils";
import { beforeEach, expect, test, vi } from "vitest";
import type { InfiniteListState } from "@/shared/composables/useInfiniteList";
import { plugins } from "@/shared/testing";
import InfiniteList from "./InfiniteList.vue";

const observed: { report: (visible: boolean) => void }[] = [];

beforeEach(() => {
  observed.length = 0;
  vi.stubGlobal(
    "IntersectionObserver",
    class {
      readonly callback: (entries: { isIntersecting: boolean }[]) => void;
      constructor(callback: (entries: { isIntersecting: boolean }[]) => void) {
        this.callback = callback;
      }
      observe(): void {
        observed.push({ report: (isIntersecting) => this.callback([{ isIntersecting }]) });
      }
      disconnect(): void {}
    },
  );
});

async function frame(state: InfiniteListState, count: number) {
  return mount(InfiniteList, {
    props: { state, count },
    slots: { default: "<p class='list'></p>", empty: "<p class='empty'></p>" },
    global: { plugins: await plugins() },
  });
}

test("the next page is loaded when the foot comes near, and again if it stays in view", async () => {
  const wrapper = await frame("ready", 3);
  observed[0]?.report(false);
  expect(wrapper.emitted("more")).toBeUndefined();
  observed[0]?.report(true);
  expect(wrapper.emitted("more")).toHaveLength(1);
  await wrapper.setProps({ state: "more" });
  await wrapper.setProps({ state: "ready", count: 6 });
  expect(observed).toHaveLength(2);
});

test("nothing is watched while a page is loading, after a failure, or at the end", async () => {
  for (const state of ["more", "failed", "done"] as const) await frame(state, 3);
  expect(observed).toEqual([]);
});

test("a failure below a list leaves the list and offers to try again", async () => {
  const wrapper = await frame("failed", 3);
  expect(wrapper.find(".list").exists()).toBe(true);
  await wrapper.get("button").trigger("click");
  expect(wrapper.emitted("more")).toHaveLength(1);
});

test("an empty list shows what its page has to offer instead", async () => {
  const wrapper = await frame("done", 0);
  expect(wrapper.find(".empty").exists()).toBe(true);
  expect(wrapper.find(".list").exists()).toBe(false);
});
