// A new version of the site: found while the old one is open, offered, and applied when the user says so.
// The old one keeps working until then. Other tabs keep what they have loaded; if one needs a file that is gone with the
// old version, usePageFailure.ts reloads the page.
import { shallowRef } from "vue";

/** A tab may stay open for days: it checks when it becomes visible, at most this often. */
const CHECK_INTERVAL_MS = 60 * 60 * 1000;

const waiting = shallowRef<ServiceWorker | null>(null);
let applying = false;
let reloadPage: () => void = () => undefined;

/** Called once at start, after the first page: nothing here may compete with it for bandwidth. */
export async function startUpdates(reload: () => void): Promise<void> {
  // Offered on secure sites only.
  if (!("serviceWorker" in navigator)) return;
  reloadPage = reload;
  try {
    const registration = await navigator.serviceWorker.register("/sw.js");
    offer(registration.waiting);
    registration.addEventListener("updatefound", () => offerOnceInstalled(registration.installing));
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (applying) reloadPage();
    });
    checkWhenVisible(registration);
  } catch {
    // Private windows and blocked storage refuse service workers: the site works without.
  }
}

function offerOnceInstalled(found: ServiceWorker | null): void {
  found?.addEventListener("statechange", () => {
    if (found.state === "installed") offer(found);
  });
}

/** The first worker of a browser replaces nothing, so it is not offered. */
function offer(worker: ServiceWorker | null): void {
  if (worker !== null && navigator.serviceWorker.controller !== null) waiting.value = worker;
}

function checkWhenVisible(registration: ServiceWorkerRegistration): void {
  let checkedAtMs = performance.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || performance.now() - checkedAtMs < CHECK_INTERVAL_MS) return;
    checkedAtMs = performance.now();
    registration.update().catch(() => undefined);
  });
}

export function useUpdate() {
  /** Reloads the page as soon as the new worker is active, or at once when another tab has activated it. */
  function apply(): void {
    applying = true;
    if (waiting.value?.state === "installed") waiting.value.postMessage("take-over");
    else reloadPage();
  }
  return { waiting, apply };
}
