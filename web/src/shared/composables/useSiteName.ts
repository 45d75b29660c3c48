// What the site is called. A site that keeps the server's default has a name in each language; a name that its
// operator gave is the same in all of them.
import { computed, type ComputedRef } from "vue";
import { useI18n } from "vue-i18n";
import { useSiteStore } from "@/shared/site/siteStore";

/** `site.name` of the server's default settings. */
const DEFAULT_NAME = "探店";

export function useSiteName(): ComputedRef<string> {
  const { t } = useI18n();
  const store = useSiteStore();
  return computed(() => {
    const given = store.site?.name ?? DEFAULT_NAME;
    return given === DEFAULT_NAME ? t("app.name") : given;
  });
}
