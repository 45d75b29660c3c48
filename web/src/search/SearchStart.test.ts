import { mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import SearchStart from "./SearchStart.vue";

async function start(history: string[], hot: string[]) {
  return mount(SearchStart, { props: { history, hot }, global: { plugins: await plugins() } });
}

test("a tap searches again, and what was searched can be removed, one by one or all", async () => {
  const wrapper = await start(["面", "咖啡"], []);
  const history = wrapper.get('[data-test="history"]');
  await history.findAll("li")[1]?.findAll("button")[0]?.trigger("click");
  expect(wrapper.emitted("search")).toEqual([["咖啡"]]);
  await wrapper.get('[aria-label="删除“面”"]').trigger("click");
  expect(wrapper.emitted("remove")).toEqual([["面"]]);
  await wrapper.get('[data-test="clear-history"]').trigger("click");
  expect(wrapper.emitted("clear")).toHaveLength(1);
});

test("what there is nothing of has no heading", async () => {
  expect((await start([], [])).text()).toBe("");
  const wrapper = await start([], ["火锅"]);
  expect(wrapper.find('[data-test="history"]').exists()).toBe(false);
  await wrapper.get('[data-test="hot-words"] button').trigger("click");
  expect(wrapper.emitted("search")).toEqual([["火锅"]]);
});
