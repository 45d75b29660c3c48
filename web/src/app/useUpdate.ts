// A new version of the site: found while the old one is open, offered, and taken when the person says so.
// The old one keeps working until then. A tab that did not ask keeps what it has loaded; should it need a file that
// is gone with the old version, usePageFailure.ts loads the page anew.
import { shallowRef } from "vue";

/** A tab may stay open for days: whenever it is looked at again, but no oftener, it asks for a new version. */
const ASK_EVERY_MS = 60 * 60 * 1000;

const waiting = shallowRef<ServiceWorker | null>(null);
let asked = false;
let reloadPage: () => void = () => undefined;

/** Called once at start, after the first page: nothing here may compete with it for the line. */
export async function startUpdates(reload: () => void): Promise<void> {
  // Offered on secure sites only.
  if (!("serviceWorker" in navigator)) return;
  reloadPage = reload;
  try {
    const registration = await navigator.serviceWorker.register("/sw.js");
    offer(registration.waiting);
    registration.addEventListener("updatefound", () => offerOnceInstalled(registration.installing));
    navigator.serviceWorker.addEventListener("controllerchange", () => {
      if (asked) reloadPage();
    });
    askWhenSeen(registration);
  } catch {
    // Private windows and blocked storage refuse service workers: the site works without.
  }
}

function offerOnceInstalled(found: ServiceWorker | null): void {
  found?.addEventListener("statechange", () => {
    if (found.state === "installed") offer(found);
  });
}

/** The very first worker of a browser replaces nothing, and is nothing to be told of. */
function offer(worker: ServiceWorker | null): void {
  if (worker !== null && navigator.serviceWorker.controller !== null) waiting.value = worker;
}

function askWhenSeen(registration: ServiceWorkerRegistration): void {
  let askedAtMs = performance.now();
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState !== "visible" || performance.now() - askedAtMs < ASK_EVERY_MS) return;
    askedAtMs = performance.now();
    registration.update().catch(() => undefined);
  });
}

export function useUpdate() {
  /** Loads the page again as soon as the new version is in charge, or at once when another tab has put it there. */
  function take(): void {
    asked = true;
    if (waiting.value?.state === "installed") waiting.value.postMessage("take-over");
    else reloadPage();
  }
  return { waiting, take };
}
