// Today's check-in: the streak, the last seven days, and checking in. The server keeps the calendar; what is shown
// is always its reply, never the expected effect of a tap.
import { computed } from "vue";
import { useBusy } from "@/shared/composables/useBusy";
import { useResource } from "@/shared/composables/useResource";
import { checkIn as sendCheckIn, countStreak, getCalendar } from "./api";
import { dayIn, isSameMonth, monthBefore, monthOf, weekUpTo, type Month } from "./months";

interface WeekDay {
  day: string;
  checkedIn: boolean;
}

export interface CheckInSummary {
  /** `YYYY-MM-DD`, by the site's calendar. */
  today: string;
  checkedIn: boolean;
  streak: number;
  /** The last seven days, today last. */
  week: readonly WeekDay[];
}

export function useCheckIn() {
  const resource = useResource(loadSummary);
  const sending = useBusy();
  const summary = computed(() => resource.data.value);

  /** Resolves to whether it was this call that checked in; rejects on a failure. */
  async function checkIn(): Promise<boolean> {
    let done = false;
    await sending.run(async () => {
      if (summary.value?.checkedIn) return;
      await sendCheckIn();
      done = true;
      await resource.load();
    });
    return done;
  }

  return { summary, state: resource.state, error: resource.error, load: resource.load, checkIn, busy: sending.busy };
}

async function loadSummary(): Promise<CheckInSummary> {
  const [streak, calendar] = await Promise.all([countStreak(), getCalendar()]);
  const today = calendar.date;
  const present = monthOf(today);
  const week = weekUpTo(today);
  const days = new Set(calendar.days.map((day) => dayIn(present, day)));
  if (reachesBack(week, present)) {
    const before = monthBefore(present);
    for (const day of (await getCalendar(before)).days) days.add(dayIn(before, day));
  }
  return {
    today,
    checkedIn: calendar.today,
    streak,
    week: week.map((day) => ({ day, checkedIn: days.has(day) })),
  };
}

function reachesBack(week: readonly string[], present: Month): boolean {
  return week.some((day) => !isSameMonth(monthOf(day), present));
}
