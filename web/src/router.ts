// Every page in one table; pages are loaded when first visited.
import { createRouter, createWebHistory, type RouteLocationNormalized, type RouteRecordRaw, type Router } from "vue-router";
import { safeNext } from "@/next";
import { useSessionStore } from "@/stores/session";

export const routes: RouteRecordRaw[] = [
  { path: "/", name: "home", component: () => import("@/pages/HomePage.vue"), meta: { titleKey: "title.home" } },
  {
    path: "/sign-in",
    name: "sign-in",
    component: () => import("@/pages/SignInPage.vue"),
    meta: { titleKey: "title.signIn" },
  },
  {
    path: "/me",
    name: "profile",
    component: () => import("@/pages/ProfilePage.vue"),
    meta: { titleKey: "title.profile", requiresSession: true },
  },
  {
    path: "/me/edit",
    name: "edit-profile",
    component: () => import("@/pages/EditProfilePage.vue"),
    meta: { titleKey: "title.edit", requiresSession: true },
  },
  {
    path: "/:path(.*)*",
    name: "not-found",
    component: () => import("@/pages/NotFoundPage.vue"),
    meta: { titleKey: "title.notFound" },
  },
];

export function signInFor(fullPath: string) {
  return { name: "sign-in", query: { next: fullPath } };
}

/** Only a clear "signed out" sends people away: a server that cannot be asked is the page's to report. */
async function guard(to: RouteLocationNormalized) {
  const session = useSessionStore();
  if (to.meta.requiresSession && (await session.ensure()) === "out") return signInFor(to.fullPath);
  if (to.name === "sign-in" && session.signedIn) return safeNext(to.query["next"]);
  return true;
}

export function createAppRouter(): Router {
  const router = createRouter({
    history: createWebHistory(),
    routes,
    scrollBehavior: (_to, _from, saved) => saved ?? { top: 0 },
  });
  router.beforeEach(guard);
  return router;
}
