import { mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import ShopFilters from "./ShopFilters.vue";

test("chips are buttons that say whether they are pressed, and have words of their own", async () => {
  const wrapper = mount(ShopFilters, { props: { modelValue: { open: "1" } }, global: { plugins: await plugins() } });
  const chips = wrapper.findAll("button");
  const labels = chips.map((chip) => chip.text());
  expect(new Set(labels).size).toBe(labels.length);
  expect(chips.map((chip) => chip.attributes("aria-pressed"))).toEqual(labels.map((label) => String(label === "营业中")));
  await wrapper.get('[data-test="filter-price-50-100"]').trigger("click");
  expect(wrapper.emitted("update:modelValue")).toEqual([[{ open: "1", price: "50-100" }]]);
});
