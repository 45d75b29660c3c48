// Every page of the site with something on it, for what visits all of them: the screenshots and the test of
// accessibility. Shops, sales, notes and people are the demo data's, whose ids are the same on every fresh site; the
// orders are bought here by the signed-in user.
import assert from "node:assert/strict";
import { setTimeout as pause } from "node:timers/promises";
import { BASE_URL, byTest, NO_SUCH_PAGE, openContext, openPage, signIn, VIEWPORTS, WAIT_MS } from "./browser.mjs";

/** Follows people, so has a feed, and came by on every day of the week before. */
export const DEMO_VISITOR = "13800000001";
const SHOP = 4;
const ORDINARY_VOUCHER = 9;
const SALE = { open: 4, waiting: 6, ended: 3 };
/** Bought and paid for here; its stock is enough for every journey. */
const SALE_TO_BUY = 5;
const ALIPAY = 2;
const PROCESSING = 0;
const PAUSE_MS = 50;

const FIXED = [
  { name: "home", path: "/" },
  { name: "shops", path: "/shops/1" },
  { name: "search", path: "/search?q=面" },
  { name: "search-start", path: "/search" },
  { name: "search-notes", path: "/search?q=好吃&tab=notes" },
  { name: "search-people", path: "/search?q=可&tab=people" },
  { name: "map", path: "/map" },
  { name: "shop", path: `/shop/${SHOP}` },
  { name: "sale", path: `/sale/${SALE.open}` },
  { name: "sale-waiting", path: `/sale/${SALE.waiting}` },
  { name: "sale-ended", path: `/sale/${SALE.ended}` },
  { name: "feed", path: "/feed" },
  { name: "topic", path: "/topic/周末探店" },
  { name: "topic-empty", path: "/topic/还没有人写过" },
  { name: "publish", path: "/publish" },
  { name: "orders", path: "/orders" },
  { name: "notices", path: "/notices" },
  { name: "redeem", path: "/redeem" },
  { name: "me", path: "/me" },
  { name: "check-ins", path: "/me/check-ins" },
  { name: "edit", path: "/me/edit" },
  { name: "favourites", path: "/me/favourites" },
  { name: "balance", path: "/me/balance" },
  { name: "favourites-notes", path: "/me/favourites?tab=notes" },
  { name: "blocked", path: "/me/blocked" },
  { name: "settings", path: "/me/settings" },
  { name: "personal-data", path: "/me/data" },
  { name: "privacy", path: "/privacy" },
  { name: "terms", path: "/terms" },
  { name: "lab", path: "/lab" },
  { name: "course", path: "/lab/course" },
  { name: "not-found", path: NO_SUCH_PAGE },
];

/** Pages for a visitor. */
export const VISITOR_PAGES = [
  { name: "home-visitor", path: "/" },
  { name: "sign-in", path: "/sign-in" },
];

/** Every page for the person signed in here, who may be of any age: what they have bought is not bought twice. */
async function pagesOfUser(context) {
  const [note] = await callApi(context, "get", "/api/blog/hot");
  const unpaid = await order(context, `/api/voucher-order/${ORDINARY_VOUCHER}`);
  const paid = await order(context, `/api/voucher-order/seckill/${SALE_TO_BUY}`);
  await callApi(context, "post", `/api/voucher-order/${paid}/pay`, { payType: ALIPAY });
  return [
    ...FIXED,
    { name: "note", path: `/note/${note.id}` },
    { name: "note-edit-foreign", path: `/note/${note.id}/edit` },
    { name: "user", path: `/user/${note.userId}` },
    { name: "follows", path: `/user/${note.userId}/follows` },
    { name: "fans", path: `/user/${note.userId}/fans` },
    { name: "pay", path: `/pay/${unpaid}` },
    { name: "order-unpaid", path: `/order/${unpaid}` },
    { name: "order", path: `/order/${paid}` },
  ];
}

/** What shows only after a tap. */
export const STATES = [
  { name: "sign-out", path: "/me/settings", act: (page) => byTest(page, "sign-out").click() },
  { name: "place", path: "/", act: (page) => byTest(page, "place").click() },
  { name: "contacts", path: "/me/settings", act: (page) => byTest(page, "set-email").click() },
];

/** Signs a person in: their browser's state, and every page for them. */
export async function signedInPages(browser, phone) {
  const context = await openContext(browser, VIEWPORTS.phone);
  const { page } = await openPage(context);
  await page.goto("/sign-in?next=/me");
  await signIn(page, phone);
  const pages = await pagesOfUser(context);
  const person = await context.storageState();
  await context.close();
  return { person, pages };
}

/** Buys a unit and waits until the order is in SQL: a claim is granted before it is recorded. */
async function order(context, path) {
  const id = await callApi(context, "post", path);
  const deadlineMs = Date.now() + WAIT_MS;
  while ((await callApi(context, "get", `/api/voucher-order/${id}`)).status === PROCESSING) {
    assert.ok(Date.now() < deadlineMs, `order ${id} is still in processing`);
    await pause(PAUSE_MS);
  }
  return id;
}

/** By cookie, so it sends an origin as a page does. */
async function callApi(context, method, path, body) {
  const response = await context.request[method](path, { headers: { origin: BASE_URL }, ...(body && { data: body }) });
  const envelope = await response.json();
  assert.ok(envelope.success, `${method} ${path}: ${JSON.stringify(envelope)}`);
  return envelope.data;
}
