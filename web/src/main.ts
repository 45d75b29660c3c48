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
import { startKeeping } from "@/orders/keeping";
import { configureClient } from "@/shared/api/client";
import { dropEarlyReplies } from "@/shared/api/earlyReplies";
import { startTheme } from "@/shared/composables/useTheme";
import { currentLocale, i18n, preferredLocale, applyLocale } from "@/shared/i18n/i18n";
import { clearHistoryCache } from "@/shared/historyCache";
import { useSiteStore } from "@/shared/site/siteStore";
import App from "./App.vue";
import { createAppRouter, prefetchPage } from "./router";

async function start(): Promise<void> {
  startTheme();
  const app = createApp(App).use(createPinia()).use(i18n);
  const session = useSessionStore();
  const router = createAppRouter();

  configureClient({
    language: currentLocale,
    // The session ended while a page was open: to sign-in, and back afterwards.
    onUnauthorized: () => {
      if (session.state === "out") return;
      session.forget();
      const here = router.currentRoute.value;
      if (here.meta.requiresSession) void router.replace(signInFor(here.fullPath));
    },
  });

  startKeeping(session);

  router.afterEach((_to, from) => {
    if (from.matched.length > 0) dropEarlyReplies();
  });

  // Cached lists show what a user likes and follows. The first load of the session is no change of user.
  watch(
    () => session.me?.id ?? session.state,
    (_now, before) => {
      if (before !== "unknown") clearHistoryCache();
    },
  );

  // A page from the back/forward cache may show a user who has signed out since.
  window.addEventListener("pageshow", (event) => {
    if (event.persisted) window.location.reload();
  });

  // The app was opened without a network: who is signed in is learned when there is one.
  window.addEventListener("online", () => void session.restore());

  prefetchPage(router, window.location.pathname);
  void useSiteStore().load();
  void session.restore();
  await applyLocale(preferredLocale(navigator.languages));
  app.use(router);
  app.mount("#app");
  if (import.meta.env.PROD) afterLoad(() => void startUpdates(() => window.location.reload()));
}

/** The service worker fetches the whole app: that waits until the first page is loaded. */
function afterLoad(task: () => void): void {
  if (document.readyState === "complete") task();
  else window.addEventListener("load", task, { once: true });
}

/** In both languages, since neither could be loaded. */
function showStartFailure(): void {
  const app = document.querySelector("#app");
  if (app !== null) app.textContent = "页面没能打开，请检查网络后刷新。We couldn't open this page. Check your connection and reload.";
}

start().catch(showStartFailure);
