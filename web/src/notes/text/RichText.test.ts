import { mount, RouterLinkStub } from "@vue/test-utils";
import { expect, test } from "vitest";
import { h } from "vue";
import RichText from "./RichText.vue";

test("what looks like markup is text, and links lead to people and topics", () => {
  const props = { text: '<img src=x onerror="x">@小满 #a b#', mentions: [{ userId: 3, name: "小满" }], topics: ["a b"] };
  const shown = mount(() => h("p", h(RichText, props)), { global: { stubs: { RouterLink: RouterLinkStub } } });
  expect(shown.find("img").exists()).toBe(false);
  expect(shown.element.textContent).toBe(props.text);
  const links = shown.findAllComponents(RouterLinkStub);
  expect(links.map((link) => [link.text(), link.props("to")])).toEqual([
    ["@小满", { name: "user", params: { id: 3 } }],
    ["#a b#", { name: "topic", params: { name: "a b" } }],
  ]);
});
