import { mount } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { nextTick } from "vue";
import { plugins } from "@/shared/testing";
import type { Shop } from "@/shops/api";
import ShopMap from "./ShopMap.vue";
import type { StreetMap } from "./streets/datum";
import type { MapView } from "./view";

const HERE = { x: 120.15, y: 30.33 };
/** Shops so many metres to the east of where one is. */
const shopsAt = (...metres: number[]) =>
  metres.map((east, at) => ({ id: at + 1, name: `店${at + 1}`, typeId: 1, x: HERE.x + east / 96_000, y: HERE.y }) as Shop);

beforeEach(() =>
  vi.stubGlobal(
    "ResizeObserver",
    class {
      readonly report: ResizeObserverCallback;
      constructor(report: ResizeObserverCallback) {
        this.report = report;
      }
      observe(): void {
        const entry = { contentRect: { width: 600, height: 400 } } as ResizeObserverEntry;
        this.report([entry], this as unknown as ResizeObserver);
      }
      disconnect(): void {}
    },
  ),
);
afterEach(() => vi.unstubAllGlobals());

async function map(shops: Shop[] | undefined, chosen?: number, streets?: StreetMap) {
  const wrapper = mount(ShopMap, {
    props: {
      streets,
      shops,
      place: HERE,
      isPosition: true,
      chosen,
      iconOf: () => undefined,
      view: null as MapView | null,
      "onUpdate:view": (view: MapView | null) => void wrapper.setProps({ view }),
    },
    global: { plugins: await plugins() },
  });
  await nextTick();
  const markers = () => wrapper.findAll("[data-test=marker]").map((marker) => marker.attributes("aria-label"));
  return { wrapper, markers };
}

test("everything is shown as soon as it is known", async () => {
  const { wrapper, markers } = await map(undefined);
  expect(wrapper.props("view")).toBeNull();
  await wrapper.setProps({ shops: shopsAt(500, 3000) });
  expect(wrapper.props("view")).not.toBeNull();
  expect(markers()).toEqual(["店1", "店2"]);
});

test("markers that would cover each other are one, which opens when pressed", async () => {
  const { wrapper, markers } = await map(shopsAt(0, 100, 5000));
  expect(markers()).toEqual(["2 家商家，点按放大", "店3"]);
  await wrapper.get("[data-test=marker]").trigger("click");
  expect(markers()).toEqual(["店1", "店2"]);
  expect(wrapper.emitted("choose")).toBeUndefined();
});

test("a marker by itself is chosen", async () => {
  const { wrapper } = await map(shopsAt(500, 3000));
  await wrapper.findAll("[data-test=marker]")[1]?.trigger("click");
  expect(wrapper.emitted<[Shop]>("choose")?.[0]?.[0].id).toBe(2);
});

test("shops in one house are gone through one by one", async () => {
  const { wrapper } = await map(shopsAt(100, 100, 100), 2);
  await wrapper.get("[data-test=marker]").trigger("click");
  await wrapper.get("[data-test=marker]").trigger("click");
  expect(wrapper.emitted<[Shop]>("choose")?.at(-1)?.[0].id).toBe(3);
  await wrapper.setProps({ chosen: 3 });
  await wrapper.get("[data-test=marker]").trigger("click");
  expect(wrapper.emitted<[Shop]>("choose")?.at(-1)?.[0].id).toBe(1);
});

test("what lies outside is not drawn", async () => {
  const { wrapper, markers } = await map(shopsAt(0, 3000));
  await wrapper.setProps({ view: { centre: HERE, metresPerPixel: 1 } });
  expect(markers()).toEqual(["店1"]);
});

test("the file of streets is read after the shops, and only where there is one", { timeout: 60_000 }, async () => {
  const asked = vi.fn(() => Promise.reject(new TypeError("Failed to fetch")));
  vi.stubGlobal("fetch", asked);
  await map(shopsAt(0));
  const streets: StreetMap = { attribution: "© OpenStreetMap", datum: "wgs84", bounds: { west: 119, south: 29, east: 121, north: 31 } };
  const { wrapper } = await map(undefined, undefined, streets);
  await wrapper.setProps({ view: { centre: HERE, metresPerPixel: 5 } });
  await import("./streets/engine");
  await nextTick();
  expect(asked).not.toHaveBeenCalled();
  await wrapper.setProps({ shops: shopsAt(0) });
  await vi.waitFor(() => expect(asked).toHaveBeenCalledWith(expect.stringContaining("/tiles/map.pmtiles"), expect.anything()), { timeout: 20_000 });
  wrapper.unmount();
});
