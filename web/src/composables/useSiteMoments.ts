// How long ago something happened, from the times that the server sends as the site's own clocks showed them.
import { useI18n } from "vue-i18n";
import { formatMoment } from "@/format";
import { serverNowMs } from "@/serverClock";
import { useSiteStore } from "@/stores/site";

export function useSiteMoments() {
  const { t, locale } = useI18n();
  const site = useSiteStore();

  /** `time` is `YYYY-MM-DDTHH:MM:SS` in the site's zone. */
  return function momentOf(time: string): string {
    const atMs = Date.parse(`${time}Z`) - site.utcOffsetSecs * 1000;
    if (Number.isNaN(atMs)) return time;
    return formatMoment(atMs, serverNowMs(), locale.value) ?? t("sessions.justNow");
  };
}
