// The place around which shops are searched: a chosen city, or the user's position.
// Invariant: there is always a point, because every list needs one. A position is never stored, only that it was
// chosen: it is requested again, and until it is known the last city is used.
import { defineStore } from "pinia";
import { computed, ref } from "vue";
import { siteDatumOf } from "@/shared/datum";
import { readSetting, writeSetting } from "@/shared/localSettings";
import { CITIES, cityOf, type CityId, type Point } from "./place";

export type PlaceId = CityId | "here";
export type LocateFailure = "denied" | "unavailable";

/** Long enough for a cold start of the receiver, short enough to still be waited for. */
const LOCATE_TIMEOUT_MS = 10_000;
/** A position this old is still the same neighbourhood. */
const POSITION_AGE_MS = 5 * 60_000;

export const usePlaceStore = defineStore("place", () => {
  const id = ref<PlaceId>("hangzhou");
  const city = ref<CityId>("hangzhou");
  const position = ref<Point | null>(null);
  const locating = ref(false);
  const failure = ref<LocateFailure | null>(null);

  /** Where the user is, if that was asked for and is known. */
  const here = computed(() => (id.value === "here" ? position.value : null));
  const point = computed<Point>(() => here.value ?? cityOf(city.value).point);

  function chooseCity(next: CityId): void {
    id.value = next;
    city.value = next;
    failure.value = null;
    writeSetting("tandian.place", next);
  }

  /** Requests the position from the browser. On failure the place stays as it was, and `failure` has the reason. */
  async function locate(): Promise<void> {
    if (locating.value) return;
    locating.value = true;
    failure.value = null;
    try {
      position.value = await currentPosition();
      id.value = "here";
      writeSetting("tandian.place", "here");
    } catch (error) {
      failure.value = error as LocateFailure;
    } finally {
      locating.value = false;
    }
  }

  /** The choice of the last visit. */
  function restore(): void {
    const stored = readSetting("tandian.place");
    const known = CITIES.find((one) => one.id === stored);
    if (known !== undefined) chooseCity(known.id);
    else if (stored === "here") void locate();
  }

  restore();
  return { id, here, point, locating, failure, chooseCity, locate };
});

/** Rejects with a LocateFailure. */
function currentPosition(): Promise<Point> {
  return new Promise((resolve, reject: (failure: LocateFailure) => void) => {
    if (!("geolocation" in navigator)) return reject("unavailable");
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve(siteDatumOf({ x: coords.longitude, y: coords.latitude })),
      (error) => reject(error.code === error.PERMISSION_DENIED ? "denied" : "unavailable"),
      { timeout: LOCATE_TIMEOUT_MS, maximumAge: POSITION_AGE_MS },
    );
  });
}
