import { mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import StarFilter from "./StarFilter.vue";

async function shown(counts: number[], modelValue: number | null = null) {
  const filter = mount(StarFilter, { props: { counts, modelValue }, global: { plugins: await plugins() } });
  return { filter, rows: filter.findAll(".row") };
}

test("five stars come first, and the longest bar is that of the most notes", async () => {
  const { filter, rows } = await shown([1, 0, 0, 2, 4]);
  expect(rows.map((row) => row.get(".visually-hidden").text())).toEqual(["5 星，4 篇笔记", "4 星，2 篇笔记", "3 星，0 篇笔记", "2 星，0 篇笔记", "1 星，1 篇笔记"]);
  expect(filter.findAll(".bar").map((bar) => bar.attributes("style"))).toEqual([
    "width: 100%;",
    "width: 50%;",
    "width: 0%;",
    "width: 0%;",
    "width: 25%;",
  ]);
});

test("a row chooses its notes, and all of them again", async () => {
  const { filter, rows } = await shown([1, 0, 0, 2, 4]);
  await rows[0]?.trigger("click");
  expect(rows[0]?.attributes("aria-pressed")).toBe("true");
  await rows[0]?.trigger("click");
  expect(filter.find("[data-test=all-stars]").exists()).toBe(false);
  await rows[0]?.trigger("click");
  await filter.get("[data-test=all-stars]").trigger("click");
  expect(filter.emitted("update:modelValue")).toEqual([[5], [null], [5], [null]]);
});

test("stars that nobody gave cannot be chosen", async () => {
  const { rows } = await shown([1, 0, 0, 2, 4]);
  expect(rows.map((row) => row.attributes("disabled") !== undefined)).toEqual([false, false, true, true, false]);
});
