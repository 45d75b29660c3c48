import { mount } from "@vue/test-utils";
import { expect, test } from "vitest";
import { applyLocale } from "@/shared/i18n/i18n";
import { plugins } from "@/shared/testing";
import type { Order } from "./api";
import OrderFacts from "./OrderFacts.vue";

/** As a payment that came too late and went back leaves it: with a time and a way of paying. */
const ORDER: Order = {
  id: "77",
  userId: 7,
  voucherId: 1,
  shopId: 4,
  title: "券",
  payValue: 990,
  actualValue: 3000,
  payType: 2,
  status: 4,
  createTime: "2026-11-15T18:10:39",
  payTime: "2026-11-15T18:20:00",
};

async function textOf(status: number, locale: "zh-CN" | "en") {
  const global = { plugins: await plugins() };
  await applyLocale(locale);
  return mount(OrderFacts, { props: { order: { ...ORDER, status } }, global }).text();
}

test.each([1, 4])("an order of status %i does not say that it was paid", async (status) => {
  expect(await textOf(status, "zh-CN")).not.toMatch(/实付|已付|付款时间|支付方式|支付宝/);
  expect(await textOf(status, "en")).not.toMatch(/\bpaid\b|Alipay/i);
});

test.each([2, 3, 5, 6])("an order of status %i says when and how it was paid", async (status) => {
  expect(await textOf(status, "zh-CN")).toMatch(/支付宝.*付款时间/s);
});
