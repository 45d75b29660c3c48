// Without a network a tap keeps the page that is open: the one it leads to could only show that it has nothing to show.
// Going back stays possible, since what a page had loaded is cached; so are pages that work without a network.
import type { NavigationGuard } from "vue-router";

export function offlineGuard(isTraversing: () => boolean, onRefused: () => void): NavigationGuard {
  return (to, from) => {
    const firstPage = from.matched.length === 0;
    if (navigator.onLine || firstPage || to.meta.worksOffline || isTraversing()) return true;
    onRefused();
    return false;
  };
}
