// How long ago something happened, by the server's clock.
import { useI18n } from "vue-i18n";
import { formatMoment } from "@/shared/format";
import { serverNowMs } from "@/shared/serverClock";

export function useMoments() {
  const { t, locale } = useI18n();

  return function momentOf(atMs: number): string {
    return formatMoment(atMs, serverNowMs(), locale.value) ?? t("sessions.justNow");
  };
}
