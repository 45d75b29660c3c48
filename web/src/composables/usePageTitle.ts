// The browser's title follows the page, the language and the site's name.
import { watchEffect } from "vue";
import { useI18n } from "vue-i18n";
import { useRoute } from "vue-router";
import { useSiteStore } from "@/stores/site";

export function usePageTitle(): void {
  const { t } = useI18n();
  const route = useRoute();
  const store = useSiteStore();
  watchEffect(() => {
    const site = store.site?.name ?? t("app.name");
    const key = route.meta.titleKey;
    document.title = key === undefined ? site : `${t(key)} · ${site}`;
  });
}
