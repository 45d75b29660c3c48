import { mount } from "@vue/test-utils";
import { afterEach, expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import PullToRefresh from "./PullToRefresh.vue";

afterEach(() => Object.assign(window, { scrollY: 0 }));

async function page(props = { refreshing: false }) {
  return mount(PullToRefresh, { props, slots: { default: "<p>笔记</p>" }, global: { plugins: await plugins() } });
}

type View = Awaited<ReturnType<typeof page>>;

/** Returns whether the browser's own scrolling was prevented by the last move. */
async function drag(view: View, ...points: [x: number, y: number][]): Promise<boolean> {
  let last = new Event("touchmove");
  for (const [at, [clientX, clientY]] of points.entries()) {
    last = new Event(at === 0 ? "touchstart" : "touchmove", { cancelable: true });
    view.element.dispatchEvent(Object.assign(last, { touches: [{ clientX, clientY }] }));
  }
  await view.vm.$nextTick();
  return last.defaultPrevented;
}

const release = (view: View) => view.trigger("touchend");

test("released far enough down it asks for a refresh", async () => {
  const view = await page();
  expect(await drag(view, [100, 100], [100, 130])).toBe(true);
  expect(view.text()).toContain("下拉刷新");
  await drag(view, [100, 100], [100, 130], [100, 180]);
  expect(view.text()).toContain("松开刷新");
  await release(view);
  expect(view.emitted("refresh")).toHaveLength(1);
});

test("released too early it closes and asks for nothing", async () => {
  const view = await page();
  await drag(view, [100, 100], [100, 120], [100, 140]);
  await release(view);
  expect(view.emitted("refresh")).toBeUndefined();
  expect(view.text()).toBe("笔记");
});

test("a swipe to the side stays a swipe, wherever it ends", async () => {
  const view = await page();
  expect(await drag(view, [100, 100], [130, 105], [140, 200])).toBe(false);
  await release(view);
  expect(view.emitted("refresh")).toBeUndefined();
});

test("below its top a page scrolls", async () => {
  Object.assign(window, { scrollY: 300 });
  const view = await page();
  expect(await drag(view, [100, 100], [100, 200])).toBe(false);
  await release(view);
  expect(view.emitted("refresh")).toBeUndefined();
});

test("while it is refreshed it stays open and cannot be pulled again", async () => {
  const view = await page({ refreshing: true });
  expect(view.text()).toContain("加载中");
  await drag(view, [100, 100], [100, 200]);
  await release(view);
  expect(view.emitted("refresh")).toBeUndefined();
});
