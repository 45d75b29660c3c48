// Puts the app together: language and theme first, so that nothing is drawn twice.
import "@/shared/styles/theme.css";
import "@/shared/styles/base.css";
import "@/shared/styles/controls.css";
import "@/shared/styles/layout.css";
import { createPinia } from "pinia";
import { createApp, watch } from "vue";
import { signInFor } from "@/account/sessionGuard";
import { useSessionStore } from "@/account/sessionStore";
import { startUpdates } from "@/app/useUpdate";
import { configureClient } from "@/shared/api/client";
import { startTheme } from "@/shared/composables/useTheme";
import { currentLocale, i18n, preferredLocale, applyLocale } from "@/shared/i18n/i18n";
import { forgetAll } from "@/shared/kept";
import { useSiteStore } from "@/shared/site/siteStore";
import App from "./App.vue";
import { createAppRouter, fetchAhead } from "./router";

async function start(): Promise<void> {
  startTheme();
  const app = createApp(App).use(createPinia()).use(i18n);
  const session = useSessionStore();
  const router = createAppRouter();

  configureClient({
    language: currentLocale,
    // A session that ended while a page was open: to sign-in, and back afterwards.
    onUnauthorized: () => {
      if (!session.signedIn) return;
      session.forget();
      const here = router.currentRoute.value;
      if (here.meta.requiresSession) void router.replace(signInFor(here.fullPath));
    },
  });

  // Lists show what a person likes and follows; learning who it has been all along changes nothing.
  watch(
    () => session.me?.id ?? session.state,
    (_now, before) => {
      if (before !== "unknown") forgetAll();
    },
  );

  // A page that the browser kept whole may show someone who has signed out since.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });

  fetchAhead(router, window.location.pathname);
  void useSiteStore().load();
  void session.restore();
  await applyLocale(preferredLocale(navigator.languages));
  app.use(router);
  app.mount("#app");
  if (import.meta.env.PROD) afterLoad(() => void startUpdates(() => window.location.reload()));
}

/** The worker fetches the whole shell: that waits until the first page has what it needs. */
function afterLoad(task: () => void): void {
  if (document.readyState === "complete") task();
  else window.addEventListener("load", task, { once: true });
}

/** Words in both languages, for neither could be fetched. */
function sayThatItFailed(): void {
  const app = document.querySelector("#app");
  if (app !== null) app.textContent = "页面没能打开，请检查网络后刷新。This page could not be opened: check your connection and reload.";
}

start().catch(sayThatItFailed);
