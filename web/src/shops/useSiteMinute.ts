// The minute of the day at the site, moving: what opening hours are judged by.
import { computed, type ComputedRef } from "vue";
import { useServerNow } from "@/shared/serverClock";
import { useSiteStore } from "@/shared/site/siteStore";
import { minuteOfDay } from "./hours";

export function useSiteMinute(): ComputedRef<number> {
  const nowMs = useServerNow();
  const site = useSiteStore();
  return computed(() => minuteOfDay(nowMs.value, site.utcOffsetSecs));
}
