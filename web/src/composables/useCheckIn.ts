// Today's check-in: the streak, the last seven days, and checking in. The server keeps the calendar; what is shown
// is always its answer, never a guess of what a tap must have done.
import { computed } from "vue";
import { checkIn as sendCheckIn, countStreak, getCalendar } from "@/api/checkIns";
import { useBusy } from "@/composables/useBusy";
import { useResource } from "@/composables/useResource";
import { dayOf } from "@/format";
import { dayIn, isSameMonth, monthBefore, monthOf, weekUpTo, type Month } from "@/months";

export interface WeekDay {
  day: string;
  checkedIn: boolean;
}

export interface CheckInSummary {
  /** `YYYY-MM-DD`. */
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

  /** Resolves to whether it was this call that checked in; rejects when the server could not be told. */
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
  const today = dayOf(new Date());
  const present = monthOf(today);
  const week = weekUpTo(today);
  const [streak, calendar, earlier] = await Promise.all([
    countStreak(),
    getCalendar(present),
    reachesBack(week, present) ? getCalendar(monthBefore(present)) : undefined,
  ]);
  const days = new Set(calendar.days.map((day) => dayIn(present, day)));
  for (const day of earlier?.days ?? []) days.add(dayIn(monthBefore(present), day));
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
