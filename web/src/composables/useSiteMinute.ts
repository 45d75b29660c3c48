// The minute of the day at the site, moving: what opening hours are judged by.
import { computed, type ComputedRef } from "vue";
import { minuteOfDay } from "@/hours";
import { useServerNow } from "@/serverClock";
import { useSiteStore } from "@/stores/site";

export function useSiteMinute(): ComputedRef<number> {
  const nowMs = useServerNow();
  const site = useSiteStore();
  return computed(() => minuteOfDay(nowMs.value, site.utcOffsetSecs));
}
