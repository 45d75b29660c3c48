// A page whose code could not be loaded: there is no network, or the site was updated and the old files are gone.
// A full reload repairs the second; it is done at once when that cannot loop, else on request.
import { ref } from "vue";
import type { Router } from "vue-router";

export function usePageFailure(router: Router, reload: (path: string) => void) {
  const failedPath = ref<string | null>(null);

  router.onError((_error, to) => {
    const firstPage = router.currentRoute.value.matched.length === 0;
    if (navigator.onLine && !firstPage) reload(to.fullPath);
    else failedPath.value = to.fullPath;
  });
  router.afterEach((_to, _from, failure) => {
    if (!failure) failedPath.value = null;
  });

  function retry(): void {
    if (failedPath.value !== null) reload(failedPath.value);
  }

  return { failedPath, retry };
}
