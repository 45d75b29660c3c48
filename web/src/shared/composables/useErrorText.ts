// One sentence for any failure: the server's message where it sent one, ours where it did not.
import { useI18n } from "vue-i18n";
import { ApiError } from "@/shared/api/client";

/** A longer wait is given in minutes. */
const SECS_MAX = 90;

export function useErrorText() {
  const { t, te } = useI18n();

  function describe(error: ApiError): string {
    if (error.message !== "") return error.message;
    const key = `errors.${error.code}`;
    return te(key) ? t(key) : t("errors.unknown");
  }

  return function errorText(error: unknown): string {
    if (!(error instanceof ApiError)) return t("errors.unknown");
    const message = describe(error);
    const secs = error.retryAfterSecs;
    if (secs === undefined) return message;
    if (secs <= SECS_MAX) return t("errors.retryAfter", { message, secs });
    return t("errors.retryAfterMinutes", { message, minutes: Math.ceil(secs / 60) });
  };
}
