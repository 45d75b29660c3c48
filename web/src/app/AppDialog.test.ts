import { mount } from "@vue/test-utils";
import { afterEach, expect, test } from "vitest";
import { nextTick } from "vue";
import { confirm, showDialog } from "@/shared/dialog";
import { plugins } from "@/shared/testing";
import AppDialog from "./AppDialog.vue";

const open = async () => mount(AppDialog, { attachTo: document.body, global: { plugins: await plugins() } });
let view: Awaited<ReturnType<typeof open>>;
afterEach(() => view.unmount());

const button = (name: string) => view.findAll("button").find((each) => each.text() === name);

test.each([
  ["确认", true],
  ["取消", false],
])("%s resolves the question to %j", async (name, answer) => {
  view = await open();
  const confirmed = confirm("确定删除吗？");
  await nextTick();
  expect(view.get("dialog").element.open).toBe(true);
  expect(view.get(".message").attributes("id")).toBe(view.get("dialog").attributes("aria-labelledby"));
  await button(name)?.trigger("click");
  expect(await confirmed).toBe(answer);
  expect(view.find("dialog").exists()).toBe(false);
});

test("Escape is a no, and the dialog is closed before it goes", async () => {
  view = await open();
  const confirmed = confirm("确定删除吗？");
  await nextTick();
  const dialog = view.get("dialog");
  await dialog.trigger("cancel");
  expect(await confirmed).toBe(false);
  expect(dialog.element.open).toBe(false);
});

test("going back dismisses a question, unless it is about going back", async () => {
  view = await open();
  const first = confirm("确定删除吗？");
  await nextTick();
  window.dispatchEvent(new PopStateEvent("popstate"));
  expect(await first).toBe(false);

  const second = confirm("离开吗？", { closeOnPopstate: false, confirmText: "离开", cancelText: "留下" });
  await nextTick();
  window.dispatchEvent(new PopStateEvent("popstate"));
  await nextTick();
  expect(view.get("dialog").text()).toContain("离开吗？");
  await button("离开")?.trigger("click");
  expect(await second).toBe(true);
});

test("a newer question answers the one before with no", async () => {
  view = await open();
  const first = confirm("第一个？");
  await nextTick();
  const second = confirm("第二个？");
  expect(await first).toBe(false);
  await nextTick();
  expect(view.get("dialog").element.open).toBe(true);
  await button("确认")?.trigger("click");
  expect(await second).toBe(true);
});

test("a message has nothing to cancel", async () => {
  view = await open();
  const shown = showDialog({ title: "复制下面的链接", message: "https://site.example/shop/7" });
  await nextTick();
  expect(view.findAll("button").map((each) => each.text())).toEqual(["确认"]);
  await button("确认")?.trigger("click");
  await shown;
});
