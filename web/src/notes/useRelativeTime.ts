// How long ago something happened, by the server's clock, as text.
import { useI18n } from "vue-i18n";
import { formatRelativeTime } from "@/shared/format";
import { serverNowMs } from "@/shared/serverClock";

export function useRelativeTime() {
  const { t, locale } = useI18n();

  return function relativeTime(atMs: number): string {
    return formatRelativeTime(atMs, serverNowMs(), locale.value) ?? t("sessions.justNow");
  };
}
