import { mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import type { Shop } from "./api";
import SearchBox from "./SearchBox.vue";

const shop = (id: number, name: string) => ({ id, name, area: "大关", address: "" }) as Shop;
const SHOPS = [shop(1, "巷口面馆"), shop(2, "阿婆拌面铺")];

async function box() {
  const wrapper = mount(SearchBox, {
    props: { modelValue: "面", label: "搜索", suggestions: SHOPS },
    global: { plugins: await plugins() },
  });
  return { wrapper, input: wrapper.get("input") };
}

test("Enter searches for what is typed", async () => {
  const { wrapper } = await box();
  await wrapper.get("form").trigger("submit");
  expect(wrapper.emitted("search")).toEqual([["面"]]);
});

test("arrow keys choose a suggestion, announce it to screen readers, and Enter selects it", async () => {
  const { wrapper, input } = await box();
  await input.trigger("keydown", { key: "ArrowDown" });
  await input.trigger("keydown", { key: "ArrowDown" });
  expect(input.attributes("aria-activedescendant")).toBe(wrapper.findAll("[role=option]")[1]?.attributes("id"));
  await wrapper.get("form").trigger("submit");
  expect(wrapper.emitted("pick")).toEqual([[SHOPS[1]]]);
  expect(wrapper.emitted("search")).toBeUndefined();
});

test("past the last suggestion one is back at the text", async () => {
  const { wrapper, input } = await box();
  for (let n = 0; n < 3; n += 1) await input.trigger("keydown", { key: "ArrowDown" });
  expect(input.attributes("aria-activedescendant")).toBeUndefined();
  await wrapper.get("form").trigger("submit");
  expect(wrapper.emitted("search")).toHaveLength(1);
});

test("Escape closes the suggestions, and Enter then searches", async () => {
  const { wrapper, input } = await box();
  await input.trigger("keydown", { key: "ArrowDown" });
  await input.trigger("keydown", { key: "Escape" });
  expect(input.attributes("aria-expanded")).toBe("false");
  await wrapper.get("form").trigger("submit");
  expect(wrapper.emitted("search")).toEqual([["面"]]);
});
