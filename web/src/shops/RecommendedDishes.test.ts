import { mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import RecommendedDishes from "./RecommendedDishes.vue";

const DISHES = [
  { name: "片儿川", people: 12 },
  { name: "酸梅汤", people: 1 },
];

test("a dish chooses its notes, and all of them again", async () => {
  const list = mount(RecommendedDishes, { props: { dishes: DISHES, typeId: 1, modelValue: null }, global: { plugins: await plugins() } });
  const rows = list.findAll(".dish");
  expect(list.get("h3").text()).toBe("推荐菜");
  expect(rows.map((row) => row.attributes("aria-label"))).toEqual(["片儿川，12 人推荐", "酸梅汤，1 人推荐"]);
  await rows[0]?.trigger("click");
  expect(rows[0]?.attributes("aria-pressed")).toBe("true");
  await rows[0]?.trigger("click");
  expect(list.find("[data-test=all-dishes]").exists()).toBe(false);
  await rows[1]?.trigger("click");
  await list.get("[data-test=all-dishes]").trigger("click");
  expect(list.emitted("update:modelValue")).toEqual([["片儿川"], [null], ["酸梅汤"], [null]]);
});

test("elsewhere than where one eats people recommend other things", async () => {
  const list = mount(RecommendedDishes, { props: { dishes: DISHES, typeId: 5, modelValue: null }, global: { plugins: await plugins() } });
  expect(list.get("h3").text()).toBe("大家推荐");
});
