import { flushPromises, mount } from "@vue/test-utils";
import { beforeEach, expect, test } from "vitest";
import { createRouter, createWebHistory, type Router } from "vue-router";
import { plugins } from "@/shared/testing";
import PageHeading from "./PageHeading.vue";

const PAGE = { template: "<p />" };

function routerOf(): Router {
  const paths = ["/", "/shop/7", "/note/1"];
  return createRouter({ history: createWebHistory(), routes: paths.map((path) => ({ path, component: PAGE })) });
}

async function headingAt(router: Router) {
  const global = { plugins: [...(await plugins()), router] };
  return mount(PageHeading, { props: { title: "笔记", parent: "/" }, global });
}

beforeEach(() => window.history.replaceState(null, "", "/"));

test("after a deep link, back leads to the page this one belongs to", async () => {
  const router = routerOf();
  await router.push("/note/1");
  window.history.replaceState({ ...window.history.state, back: null }, "");
  const heading = await headingAt(router);
  await heading.get("a").trigger("click");
  await flushPromises();
  expect(router.currentRoute.value.path).toBe("/");
});

test("back leads where one came from", async () => {
  const router = routerOf();
  await router.push("/shop/7");
  await router.push("/note/1");
  const heading = await headingAt(router);
  const arrived = new Promise<string>((resolve) => router.afterEach((to) => resolve(to.path)));
  await heading.get("a").trigger("click");
  expect(await arrived).toBe("/shop/7");
});
