import { mount } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nextTick } from "vue";
import { showToast } from "@/shared/toast";
import AppToast from "./AppToast.vue";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const toast = () => mount(AppToast, { global: { stubs: { transition: true } } });

test("a message is announced, and gone after two seconds", async () => {
  const view = toast();
  expect(view.find("[role=status]").exists()).toBe(true);
  showToast("已保存");
  await nextTick();
  expect(view.get("[role=status]").text()).toBe("已保存");
  await vi.advanceTimersByTimeAsync(2_000);
  expect(view.text()).toBe("");
});

test("a newer message replaces the one before and has its full time", async () => {
  const view = toast();
  showToast("第一条");
  await vi.advanceTimersByTimeAsync(1_500);
  showToast("第二条");
  await vi.advanceTimersByTimeAsync(1_500);
  expect(view.text()).toBe("第二条");
});
