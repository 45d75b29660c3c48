// The browser's title follows the page, the language and the site's name. A page about one thing names that thing,
// so that tabs, bookmarks and the history tell one shop from another.
import { onScopeDispose, shallowRef, watchEffect } from "vue";
import { useI18n } from "vue-i18n";
import { useRoute } from "vue-router";
import { useSiteName } from "./useSiteName";

interface Subject {
  name: () => string | undefined;
}

const subject = shallowRef<Subject | null>(null);

/** For the frame around every page. */
export function usePageTitle(): void {
  const { t } = useI18n();
  const route = useRoute();
  const siteName = useSiteName();
  watchEffect(() => {
    const site = siteName.value;
    const key = route.meta.titleKey;
    const name = subject.value?.name() ?? (key === undefined ? undefined : t(key));
    document.title = name === undefined ? site : `${name} · ${site}`;
  });
}

/** For a page about one thing: what it is called, or undefined while that is not known. */
export function usePageSubject(name: () => string | undefined): void {
  const mine: Subject = { name };
  subject.value = mine;
  // The next page may have named its own before this one is gone.
  onScopeDispose(() => {
    if (subject.value === mine) subject.value = null;
  });
}
