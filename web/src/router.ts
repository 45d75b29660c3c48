// Every page in one table; pages are loaded when first visited.
import { createRouter, createWebHistory, type RouteRecordRaw, type Router } from "vue-router";
import { guardSession } from "@/account/sessionGuard";
import { offlineGuard } from "@/app/offlineGuard";
import { trackHistory } from "@/shared/historyCache";
import { i18n } from "@/shared/i18n/i18n";
import { showToast } from "@/shared/toast";

declare module "vue-router" {
  interface RouteMeta {
    /** Message key of the page's title. */
    titleKey: string;
    /** The page shows personal data: without a session the visitor is sent to sign-in and back. */
    requiresSession?: true;
    /** The page is of use without a network: a link to it is followed then too, and a server that does not reply does not
     * keep it from opening. */
    worksOffline?: true;
  }
}

export const routes: RouteRecordRaw[] = [
  {
    path: "/",
    name: "home",
    component: () => import("@/home/HomePage.vue"),
    meta: { titleKey: "title.home" },
  },
  {
    path: "/shops/:type",
    name: "shops",
    component: () => import("@/shops/ShopsPage.vue"),
    meta: { titleKey: "title.shops" },
  },
  {
    path: "/search",
    name: "search",
    component: () => import("@/search/SearchPage.vue"),
    meta: { titleKey: "title.search" },
  },
  {
    path: "/map",
    name: "map",
    component: () => import("@/shops/map/MapPage.vue"),
    meta: { titleKey: "title.map" },
  },
  {
    path: "/shop/:id",
    name: "shop",
    component: () => import("@/shops/ShopPage.vue"),
    meta: { titleKey: "title.shop" },
  },
  {
    path: "/sale/:id",
    name: "sale",
    component: () => import("@/sale/SalePage.vue"),
    meta: { titleKey: "title.sale" },
  },
  {
    path: "/orders",
    name: "orders",
    component: () => import("@/orders/OrdersPage.vue"),
    meta: { titleKey: "title.orders", requiresSession: true, worksOffline: true },
  },
  // Cashiers redirect here.
  {
    path: "/orders/:id",
    redirect: (to) => ({ name: "order", params: { id: String(to.params["id"]) }, query: { from: "cashier" } }),
    meta: { titleKey: "title.order" },
  },
  {
    path: "/order/:id",
    name: "order",
    component: () => import("@/orders/OrderPage.vue"),
    meta: { titleKey: "title.order", requiresSession: true, worksOffline: true },
  },
  {
    path: "/pay/:id",
    name: "pay",
    component: () => import("@/orders/PayPage.vue"),
    meta: { titleKey: "title.pay", requiresSession: true },
  },
  {
    path: "/redeem",
    name: "redeem",
    component: () => import("@/orders/RedeemPage.vue"),
    meta: { titleKey: "title.redeem", requiresSession: true },
  },
  {
    path: "/notices",
    name: "notices",
    component: () => import("@/notices/NoticesPage.vue"),
    meta: { titleKey: "title.notices", requiresSession: true },
  },
  {
    path: "/note/:id(\\d+)",
    name: "note",
    component: () => import("@/notes/NotePage.vue"),
    meta: { titleKey: "title.note" },
  },
  {
    path: "/note/:id(\\d+)/edit",
    name: "note-edit",
    component: () => import("@/notes/publish/EditNotePage.vue"),
    meta: { titleKey: "title.editNote", requiresSession: true },
  },
  {
    path: "/publish",
    name: "publish",
    component: () => import("@/notes/publish/PublishPage.vue"),
    meta: { titleKey: "title.publish", requiresSession: true, worksOffline: true },
  },
  {
    path: "/user/:id(\\d+)",
    name: "user",
    component: () => import("@/people/UserPage.vue"),
    meta: { titleKey: "title.user" },
  },
  {
    path: "/user/:id(\\d+)/follows",
    name: "follows",
    component: () => import("@/people/PeoplePage.vue"),
    props: { kind: "follows" },
    meta: { titleKey: "title.follows" },
  },
  {
    path: "/user/:id(\\d+)/fans",
    name: "fans",
    component: () => import("@/people/PeoplePage.vue"),
    props: { kind: "fans" },
    meta: { titleKey: "title.fans" },
  },
  {
    path: "/topic/:name",
    name: "topic",
    component: () => import("@/notes/TopicPage.vue"),
    meta: { titleKey: "title.topic" },
  },
  {
    path: "/feed",
    name: "feed",
    component: () => import("@/notes/FeedPage.vue"),
    meta: { titleKey: "title.feed", requiresSession: true },
  },
  {
    path: "/sign-in",
    name: "sign-in",
    component: () => import("@/account/SignInPage.vue"),
    meta: { titleKey: "title.signIn" },
  },
  {
    path: "/me",
    name: "profile",
    component: () => import("@/account/MePage.vue"),
    meta: { titleKey: "title.profile", requiresSession: true },
  },
  {
    path: "/me/check-ins",
    name: "check-ins",
    component: () => import("@/check-ins/CheckInsPage.vue"),
    meta: { titleKey: "title.checkIns", requiresSession: true },
  },
  {
    path: "/me/edit",
    name: "edit-profile",
    component: () => import("@/account/EditProfilePage.vue"),
    meta: { titleKey: "title.edit", requiresSession: true },
  },
  {
    path: "/me/favourites",
    name: "favourites",
    component: () => import("@/favourites/FavouritesPage.vue"),
    meta: { titleKey: "title.favourites", requiresSession: true },
  },
  {
    path: "/me/balance",
    name: "balance",
    component: () => import("@/balance/BalancePage.vue"),
    meta: { titleKey: "title.balance", requiresSession: true },
  },
  {
    path: "/me/blocked",
    name: "blocked",
    component: () => import("@/account/BlockedPage.vue"),
    meta: { titleKey: "title.blocked", requiresSession: true },
  },
  {
    path: "/me/settings",
    name: "settings",
    component: () => import("@/account/SettingsPage.vue"),
    meta: { titleKey: "title.settings", requiresSession: true },
  },
  {
    path: "/me/data",
    name: "personal-data",
    component: () => import("@/account/PersonalDataPage.vue"),
    meta: { titleKey: "title.personalData", requiresSession: true },
  },
  {
    path: "/privacy",
    name: "privacy",
    component: () => import("@/legal/PrivacyPage.vue"),
    meta: { titleKey: "title.privacy" },
  },
  {
    path: "/terms",
    name: "terms",
    component: () => import("@/legal/TermsPage.vue"),
    meta: { titleKey: "title.terms" },
  },
  {
    path: "/lab",
    name: "lab",
    component: () => import("@/lab/LabPage.vue"),
    meta: { titleKey: "title.lab" },
  },
  {
    path: "/lab/course",
    name: "course",
    component: () => import("@/lab/course/CoursePage.vue"),
    meta: { titleKey: "title.course" },
  },
  {
    path: "/:path(.*)*",
    name: "not-found",
    component: () => import("@/app/NotFoundPage.vue"),
    meta: { titleKey: "title.notFound" },
  },
];

/** Pages whose layout depends on measured sizes have it a frame later; before, the saved position may not exist. */
function afterLayout<T>(position: T): Promise<T> {
  return new Promise((resolve) => requestAnimationFrame(() => resolve(position)));
}

/** Starts to fetch the code of a page before the router needs it; the router reports a failure. */
export function prefetchPage(router: Router, path: string): void {
  for (const { components } of router.resolve(path).matched) {
    const page = components?.["default"];
    if (typeof page === "function") void Promise.resolve((page as () => Promise<unknown>)()).catch(() => undefined);
  }
}

export function createAppRouter(): Router {
  const history = createWebHistory();
  const tracker = trackHistory(history);
  const router = createRouter({
    history,
    routes,
    scrollBehavior: (_to, _from, saved) => (saved === null ? { top: 0 } : afterLayout(saved)),
  });
  router.beforeEach(offlineGuard(tracker.isTraversing, () => showToast(i18n.global.t("app.offlineTap"))));
  router.beforeEach(guardSession);
  router.afterEach(tracker.onNavigated);
  return router;
}
