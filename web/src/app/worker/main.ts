// The service worker: installs a build, and responds to requests for the app's files.
// A new build waits while pages of the one before are open, unless the user applies it (see useUpdate.ts).
import { cacheNameOf, deleteOlderCaches, install, kindOf, respond, type Build } from "./shell";

/** Put here by build/service-worker.ts. */
declare const __BUILD__: Build;
declare const self: ServiceWorkerGlobalScope;

const build: Build = __BUILD__;

self.addEventListener("install", (event) => event.waitUntil(install(caches, build)));

self.addEventListener("activate", (event) => {
  event.waitUntil(deleteOlderCaches(caches, build).then(() => self.clients.claim()));
});

self.addEventListener("message", (event) => {
  if (event.data === "take-over") void self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const kind = kindOf(event.request, self.location.origin, build);
  if (kind === "other") return;
  event.respondWith(caches.open(cacheNameOf(build)).then((cache) => respond(kind, event.request, cache)));
});
