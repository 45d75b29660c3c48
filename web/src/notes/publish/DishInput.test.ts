import { flushPromises, mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import DishInput from "./DishInput.vue";

const KNOWN = ["片儿川", "拌面", "片皮鸭"];

async function shown(dishes: string[] = []) {
  const field = mount(DishInput, {
    attachTo: document.body,
    props: {
      label: "推荐菜",
      known: KNOWN,
      error: null,
      modelValue: dishes,
      "onUpdate:modelValue": (now: readonly string[]) => void field.setProps({ modelValue: now }),
    },
    global: { plugins: await plugins() },
  });
  await flushPromises();
  const input = field.get<HTMLInputElement>("[data-test=dish-input]");
  const chosen = () => field.props("modelValue");
  const offers = () => field.findAll("[data-test=known-dish]").map((offer) => offer.text());
  return { field, input, chosen, offers };
}

test("Enter and a comma add what is typed, the same one once", async () => {
  const { input, chosen } = await shown();
  await input.setValue(" 小笼包 ");
  await input.trigger("keydown", { key: "Enter" });
  await input.setValue("Latte，");
  await input.setValue("ｌａｔｔｅ");
  await input.trigger("keydown", { key: "Enter" });
  expect(chosen()).toEqual(["小笼包", "Latte"]);
  expect(input.element.value).toBe("");
});

test("Enter that ends a word of an input method adds nothing", async () => {
  const { input, chosen } = await shown();
  await input.setValue("xiao long");
  await input.trigger("keydown", { key: "Enter", isComposing: true });
  expect(chosen()).toEqual([]);
});

test("what the shop is known for is offered, and less of it the more is typed", async () => {
  const { field, input, chosen, offers } = await shown();
  expect(offers()).toEqual(KNOWN);
  await input.setValue("片");
  expect(offers()).toEqual(["片儿川", "片皮鸭"]);
  await field.findAll("[data-test=known-dish]")[1]?.trigger("click");
  expect(chosen()).toEqual(["片皮鸭"]);
  expect(offers()).toEqual(["片儿川", "拌面"]);
});

test("Backspace in the empty field removes the last one, and so does its button", async () => {
  const { field, input, chosen } = await shown(["片儿川", "拌面", "酸梅汤"]);
  await input.trigger("keydown", { key: "Backspace" });
  expect(chosen()).toEqual(["片儿川", "拌面"]);
  await field.get("[aria-label='移除“片儿川”']").trigger("click");
  await flushPromises();
  expect(chosen()).toEqual(["拌面"]);
  expect(document.activeElement).toBe(input.element);
});

test("what is typed when the field is left is not lost", async () => {
  const { input, chosen } = await shown();
  await input.setValue("小笼包");
  await input.trigger("focusout");
  expect(chosen()).toEqual(["小笼包"]);
});

test("five are enough, and what is no name stays to be changed", async () => {
  const { field, input, chosen, offers } = await shown(["一", "二", "三", "四"]);
  await input.setValue("🔥");
  await input.trigger("keydown", { key: "Enter" });
  await flushPromises();
  expect(field.get("[role=alert]").text()).toBe("名称要有文字或数字，最多 20 个字");
  expect(input.element.value).toBe("🔥");
  await input.setValue("五");
  await input.trigger("keydown", { key: "Enter" });
  expect(chosen()).toHaveLength(5);
  expect(input.element.readOnly).toBe(true);
  expect(offers()).toEqual([]);
});
