import { expect, test } from "vitest";
import { createApp, effectScope, h, nextTick, ref } from "vue";
import { createMemoryHistory, createRouter } from "vue-router";
import { applyLocale } from "@/shared/i18n/i18n";
import { plugins } from "@/shared/testing";
import { usePageSubject, usePageTitle } from "./usePageTitle";

const PAGE = { render: () => h("div") };

async function frameAt(path: string) {
  const routes = [
    { path: "/", component: PAGE, meta: { titleKey: "title.home" } },
    { path: "/shop", component: PAGE, meta: { titleKey: "title.shop" } },
  ];
  const router = createRouter({ history: createMemoryHistory(), routes });
  await router.push(path);
  const app = createApp({ setup: () => (usePageTitle(), () => h("div")) });
  for (const plugin of [...(await plugins()), router]) app.use(plugin);
  app.mount(document.createElement("div"));
  return router;
}

test("the title follows page and language", async () => {
  const router = await frameAt("/");
  expect(document.title).toBe("首页 · 探店");
  await router.push("/shop");
  expect(document.title).toBe("商家 · 探店");
  await applyLocale("en");
  await nextTick();
  expect(document.title).toMatch(/ · Tandian$/);
});

test("a page about one thing names it as soon as it is known, until the page is left", async () => {
  await frameAt("/shop");
  const shop = ref<string>();
  const page = effectScope();
  page.run(() => usePageSubject(() => shop.value));
  await nextTick();
  expect(document.title).toBe("商家 · 探店");
  shop.value = "外婆家";
  await nextTick();
  expect(document.title).toBe("外婆家 · 探店");
  page.stop();
  await nextTick();
  expect(document.title).toBe("商家 · 探店");
});

test("a page that is disposed late does not clear the title of the next", async () => {
  await frameAt("/shop");
  const [first, second] = [effectScope(), effectScope()];
  first.run(() => usePageSubject(() => "外婆家"));
  second.run(() => usePageSubject(() => "新白鹿"));
  first.stop();
  await nextTick();
  expect(document.title).toBe("新白鹿 · 探店");
  second.stop();
});
