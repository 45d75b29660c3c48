import { mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import { h } from "vue";
import FormField from "./FormField.vue";

function field(error: string | null) {
  return mount(FormField, {
    props: { label: "手机号", error },
    slots: { default: (attributes: object) => h("input", attributes) },
  });
}

test("the label names the control and the error describes it", () => {
  const wrapper = field("不对");
  const input = wrapper.get("input");
  expect(wrapper.get("label").attributes("for")).toBe(input.attributes("id"));
  expect(input.attributes("aria-invalid")).toBe("true");
  expect(wrapper.get(`[id="${input.attributes("aria-describedby")}"]`).text()).toBe("不对");
});

test("a control without an error is valid", () => {
  expect(field(null).get("input").attributes("aria-invalid")).toBe("false");
});
