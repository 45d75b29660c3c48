// The service worker: installs a build, waits until its turn, and answers for the app's files.
// A new build waits while pages of the one before are open, unless a person asks for it (see useUpdate.ts).
import { answer, cacheNameOf, dropOlder, install, kindOf, type Build } from "./shell";

/** Put here by build/service-worker.ts. */
declare const __BUILD__: Build;
declare const self: ServiceWorkerGlobalScope;

const build: Build = __BUILD__;

self.addEventListener("install", (event) => event.waitUntil(install(caches, build)));

self.addEventListener("activate", (event) => {
  event.waitUntil(dropOlder(caches, build).then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "take-over") void self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const kind = kindOf(event.request, self.location.origin, build);
  if (kind === "other") return;
  event.respondWith(caches.open(cacheNameOf(build)).then((cache) => answer(kind, event.request, cache)));
});
