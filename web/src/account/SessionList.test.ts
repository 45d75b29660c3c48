import { mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import SessionList from "./SessionList.vue";

const NOW_MS = Date.UTC(2026, 10, 15);
const HERE = { n: 1, current: true, createdAtMs: NOW_MS, seenAtMs: NOW_MS, device: "Chrome · Linux", address: "127.0.0.*" };
const THERE = { ...HERE, n: 2, current: false, device: "", seenAtMs: NOW_MS - 180_000 };

async function mountWith(sessions: (typeof HERE)[], ending: number | null = null) {
  return mount(SessionList, { props: { sessions, nowMs: NOW_MS, ending }, global: { plugins: await plugins() } });
}

test("the session in use is marked and cannot be ended here", async () => {
  const list = await mountWith([HERE]);
  expect(list.text()).toContain("Chrome · Linux");
  expect(list.text()).toContain("本机");
  expect(list.find("button").exists()).toBe(false);
});

test("another session can be ended, by the name of its device", async () => {
  const list = await mountWith([HERE, THERE]);
  expect(list.text()).toContain("3分钟前活跃");
  const button = list.get("button");
  expect(button.attributes("aria-label")).toBe("让 未知设备 退出登录");
  await button.trigger("click");
  expect(list.emitted("end")).toEqual([[THERE, "未知设备"]]);
});

test("while one is being ended, no other can be", async () => {
  const list = await mountWith([HERE, THERE], 2);
  expect(list.get("button").attributes("disabled")).toBeDefined();
});
