import { flushPromises, mount } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { plugins } from "@/shared/testing";
import { makeTilesFile } from "../../../../journeys/tilesFile.mjs";
import type { StreetMap } from "./datum";
import StreetsLayer from "./StreetsLayer.vue";
import { recordingCanvas, recordPaths, serveFile } from "./testing";

const MAP: StreetMap = { attribution: "© OpenStreetMap", datum: "gcj02", bounds: { west: 120.1, south: 30.3, east: 120.2, north: 30.36 } };
const CONTENT = makeTilesFile({
  minZoom: 12,
  maxZoom: 14,
  bounds: [120.1, 30.3, 120.2, 30.36],
  features: [{ layer: "roads", type: "line", properties: { kind: "highway" }, points: [[120.1, 30.33], [120.2, 30.33]] }],
});
const VIEW = { centre: { x: 120.15, y: 30.33 }, metresPerPixel: 8 };

/** Longer than a busy machine takes. */
const soon = (claim: () => void) => vi.waitFor(claim, { timeout: 20_000 });

let calls: string[];
beforeEach(() => {
  recordPaths();
  const canvas = recordingCanvas();
  calls = canvas.calls;
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(canvas.context as never);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

async function layer(map = MAP) {
  return mount(StreetsLayer, { props: { map, view: VIEW, size: { width: 300, height: 200 }, named: [], markers: [] }, global: { plugins: await plugins() } });
}

test("streets are painted once they are read, and who made the map stands beside them", { timeout: 60_000 }, async () => {
  serveFile({ content: CONTENT, tag: '"1"' });
  const wrapper = await layer();
  await soon(() => expect(calls.some((call) => call.startsWith("stroke M"))).toBe(true));
  expect(wrapper.get("[data-test=map-credit] a").attributes("href")).toBe("https://www.openstreetmap.org/copyright");
  expect(wrapper.find("[data-test=streets-failed]").exists()).toBe(false);
  wrapper.unmount();
});

test("the map of somebody else is credited without the link", async () => {
  serveFile({ content: CONTENT, tag: '"1"' });
  const wrapper = await layer({ ...MAP, attribution: "市测绘院" });
  expect(wrapper.get("[data-test=map-credit]").text()).toBe("市测绘院");
  expect(wrapper.find("a").exists()).toBe(false);
  wrapper.unmount();
});

test("a failure is said, and retried by a press or when the network is back", { timeout: 60_000 }, async () => {
  const served = { content: CONTENT, tag: '"1"', isDown: true };
  serveFile(served);
  const wrapper = await layer();
  const notice = () => wrapper.find("[data-test=streets-failed]");
  await soon(() => expect(notice().exists()).toBe(true));
  await notice().get("button").trigger("click");
  expect(notice().exists()).toBe(false);
  await soon(() => expect(notice().exists()).toBe(true));
  served.isDown = false;
  window.dispatchEvent(new Event("online"));
  await soon(() => expect(calls.some((call) => call.startsWith("stroke M"))).toBe(true));
  await soon(() => expect(notice().exists()).toBe(false));
  wrapper.unmount();
});

test("a map that is closed reads no further", async () => {
  const ranges = serveFile({ content: CONTENT, tag: '"1"' });
  const wrapper = await layer();
  wrapper.unmount();
  await import("./engine");
  await flushPromises();
  expect(ranges).toEqual([]);
});
