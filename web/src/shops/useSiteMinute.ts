// The current minute of the day in the site's time zone, for opening hours.
import { computed, type ComputedRef } from "vue";
import { useServerNow } from "@/shared/serverClock";
import { useSiteStore } from "@/shared/site/siteStore";
import { minuteOfDay } from "./openingHours";

export function useSiteMinute(): ComputedRef<number> {
  const nowMs = useServerNow();
  const site = useSiteStore();
  return computed(() => minuteOfDay(nowMs.value, site.utcOffsetSecs));
}
