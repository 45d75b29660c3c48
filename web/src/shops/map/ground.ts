// What the map draws below the shops: water, parks, main roads and districts of the cities that we know, simplified and drawn by
// hand from general knowledge, so that no map provider's data or terms are in it. In the datum of the shops. Good enough to
// find one's way between the quarters of a city, not to drive by.
import { shallowRef, watch, type ShallowRef } from "vue";
import { CITIES, type CityId, type Point } from "@/shops/place";
import type { Ground } from "./ground/types";

/** West, south, east and north. What a city's ground shows lies within. */
export const GROUND_BOUNDS: Record<CityId, readonly [number, number, number, number]> = {
  hangzhou: [119.98, 30.07, 120.44, 30.42],
  shanghai: [121.28, 31.06, 121.7, 31.43],
  chengdu: [103.9, 30.49, 104.22, 30.79],
};

const LOADERS: Record<CityId, () => Promise<{ default: Ground }>> = {
  hangzhou: () => import("./ground/hangzhou"),
  shanghai: () => import("./ground/shanghai"),
  chengdu: () => import("./ground/chengdu"),
};

/** The city on whose ground the point lies. */
export function groundCityOf({ x, y }: Point): CityId | undefined {
  return CITIES.find(({ id }) => {
    const [west, south, east, north] = GROUND_BOUNDS[id];
    return x >= west && x <= east && y >= south && y <= north;
  })?.id;
}

export function loadGround(city: CityId): Promise<Ground> {
  return LOADERS[city]().then((module) => module.default);
}

/** The ground below the point; the last one while that is being loaded, and where there is none. */
export function useGround(point: () => Point | undefined): ShallowRef<Ground | undefined> {
  const ground = shallowRef<Ground>();
  watch(
    () => {
      const at = point();
      return at && groundCityOf(at);
    },
    async (city) => {
      // Without its ground the map still shows the shops and their distances.
      const loaded = city && (await loadGround(city).catch(() => undefined));
      if (loaded) ground.value = loaded;
    },
    { immediate: true },
  );
  return ground;
}
