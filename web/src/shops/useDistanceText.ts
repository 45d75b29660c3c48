// How far a shop is. From a user whose position is known it is a distance; otherwise it is counted from the middle of the
// chosen city, and says so.
import { useI18n } from "vue-i18n";
import { formatDistance } from "@/shared/format";
import { usePlaceStore } from "./placeStore";

export function useDistanceText() {
  const { t, locale } = useI18n();
  const place = usePlaceStore();

  return function distanceText(metres: number): string {
    const distance = formatDistance(metres, locale.value);
    return place.here === null ? t("shop.fromCentre", { distance }) : t("shop.away", { distance });
  };
}
