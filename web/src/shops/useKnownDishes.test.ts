import { flushPromises } from "@vue/test-utils";
import { expect, test } from "vitest";
import { ref } from "vue";
import { ok, refusal, serve, withSetup } from "@/shared/testing";
import { useKnownDishes } from "./useKnownDishes";

test("the dishes are those of the chosen shop, and none without one or after a failure", async () => {
  serve({
    "GET /api/shop/5/dishes?size=50": ok([{ name: "片儿川", people: 2 }]),
    "GET /api/shop/6/dishes?size=50": refusal("busy", "busy"),
  });
  const shop = ref<number | undefined>(undefined);
  const { result: known } = await withSetup(() => useKnownDishes(shop));
  expect(known.value).toEqual([]);
  for (const [id, names] of [
    [5, ["片儿川"]],
    [6, []],
    [5, ["片儿川"]],
    [undefined, []],
  ] as const) {
    shop.value = id;
    await flushPromises();
    expect(known.value).toEqual(names);
  }
});
