import { mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import StockBar from "./StockBar.vue";

async function text(props: { stock: number; total?: number; waiting?: boolean }): Promise<string> {
  return mount(StockBar, { props, global: { plugins: await plugins() } }).text();
}

test("the sold share is shown once something is sold, and not before", async () => {
  expect(await text({ stock: 100, total: 100 })).not.toContain("%");
  expect(await text({ stock: 99, total: 100 })).toContain("1%");
  expect(await text({ stock: 99, total: 100, waiting: true })).not.toContain("%");
  expect(await text({ stock: 99 })).not.toContain("%");
});
