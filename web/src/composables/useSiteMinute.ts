// The minute of the day at the site, moving: what opening hours are judged by.
import { computed, type ComputedRef } from "vue";
import { minuteOfDay } from "@/hours";
import { useServerNow } from "@/serverClock";

/** The shops of this site keep China's time. */
const UTC_OFFSET_SECS = 8 * 3600;

export function useSiteMinute(): ComputedRef<number> {
  const nowMs = useServerNow();
  return computed(() => minuteOfDay(nowMs.value, UTC_OFFSET_SECS));
}
