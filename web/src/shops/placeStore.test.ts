import { flushPromises } from "@vue/test-utils";
import { createPinia, setActivePinia } from "pinia";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { siteDatumOf } from "@/shared/datum";
import { CITIES } from "./place";
import { usePlaceStore } from "./placeStore";

const DENIED = { code: 1, PERMISSION_DENIED: 1 } as GeolocationPositionError;
const LOST = { code: 2, PERMISSION_DENIED: 1 } as GeolocationPositionError;
const cityPoint = (id: string) => CITIES.find((city) => city.id === id)?.point;

/** A browser with a position, or with a reason why not. */
function browserTells(answer: { x: number; y: number } | GeolocationPositionError): void {
  const getCurrentPosition: Geolocation["getCurrentPosition"] = (found, failed) => {
    if ("code" in answer) failed?.(answer);
    else found({ coords: { longitude: answer.x, latitude: answer.y } } as GeolocationPosition);
  };
  vi.stubGlobal("navigator", { ...navigator, geolocation: { getCurrentPosition } });
}

beforeEach(() => {
  localStorage.clear();
  setActivePinia(createPinia());
});
afterEach(() => vi.unstubAllGlobals());

test("a new browser starts with the first city", () => {
  expect(usePlaceStore().point).toEqual(CITIES[0]?.point);
});

test("a chosen city is remembered", () => {
  usePlaceStore().chooseCity("chengdu");
  setActivePinia(createPinia());
  expect(usePlaceStore().point).toEqual(cityPoint("chengdu"));
});

test("the position is used as soon as the browser has it, and only that it was chosen is stored", async () => {
  browserTells({ x: 104.1, y: 30.6 });
  const place = usePlaceStore();
  await place.locate();
  const here = siteDatumOf({ x: 104.1, y: 30.6 });
  expect([place.id, place.here, place.point]).toEqual(["here", here, here]);
  expect(here).not.toEqual({ x: 104.1, y: 30.6 });
  expect(JSON.stringify({ ...localStorage })).not.toContain("104.1");

  setActivePinia(createPinia());
  const again = usePlaceStore();
  await flushPromises();
  expect(again.point).toEqual(here);
  again.chooseCity("shanghai");
  expect(again.here).toBe(null);
});

test.each([
  [DENIED, "denied"],
  [LOST, "unavailable"],
])("without a position the place stays as it was, and the reason is given", async (answer, failure) => {
  browserTells(answer);
  const place = usePlaceStore();
  place.chooseCity("shanghai");
  await place.locate();
  expect([place.id, place.point, place.failure]).toEqual(["shanghai", cityPoint("shanghai"), failure]);
});

test("choosing a city forgets that there was no position", async () => {
  browserTells(DENIED);
  const place = usePlaceStore();
  await place.locate();
  place.chooseCity("chengdu");
  expect(place.failure).toBeNull();
});
