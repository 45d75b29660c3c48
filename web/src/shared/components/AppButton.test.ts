import { mount } from "@vue/test-utils";
import { expect, test, vi } from "vitest";
import AppButton from "./AppButton.vue";

test("a press is emitted once", async () => {
  const button = mount(AppButton, { slots: { default: "付款" } });
  await button.trigger("click");
  expect(button.emitted("click")).toHaveLength(1);
  expect(button.attributes("type")).toBe("button");
});

test("while it runs a press does nothing, and a form is not sent again", async () => {
  const button = mount(AppButton, { props: { submit: true, loading: true, loadingText: "支付中" }, slots: { default: "付款" } });
  const press = new MouseEvent("click", { cancelable: true });
  button.element.dispatchEvent(press);
  expect(press.defaultPrevented).toBe(true);
  expect(button.emitted("click")).toBeUndefined();
  expect(button.text()).toBe("支付中");
  expect(button.attributes("aria-busy")).toBe("true");
});

test("without a text for it the label stays beside the spinner", () => {
  const button = mount(AppButton, { props: { loading: true }, slots: { default: "取消订单" } });
  expect(button.text()).toBe("取消订单");
  expect(button.find(".spinner").exists()).toBe(true);
});

test("a disabled button cannot be pressed", async () => {
  const onClick = vi.fn();
  const button = mount(AppButton, { props: { disabled: true, onClick }, slots: { default: "付款" } });
  await button.trigger("click");
  expect(onClick).not.toHaveBeenCalled();
});
