import { mount, RouterLinkStub } from "@vue/test-utils";
import { expect, test, vi } from "vitest";
import { plugins } from "@/shared/testing";
import type { Shop } from "./api";
import { usePlaceStore } from "./placeStore";
import ShopCard from "./ShopCard.vue";

/** Only what every shop has. */
const BARE: Shop = {
  id: 7,
  name: "巷口面馆",
  typeId: 1,
  images: "/imgs/a.jpg,/imgs/b.jpg",
  address: "大关路1号",
  x: 120,
  y: 30,
  sold: 0,
  comments: 20,
  score: 43,
  createTime: "",
  updateTime: "",
};
const SHOP: Shop = { ...BARE, area: "大关", avgPrice: 25, openHours: "10:00-22:00", distance: 1240 };

async function card(shop: Shop, minute = 12 * 60) {
  const global = { plugins: await plugins(), stubs: { RouterLink: RouterLinkStub } };
  return mount(ShopCard, { props: { shop, minute }, global });
}

test("a card says all that one chooses by", async () => {
  const text = (await card(SHOP)).text();
  for (const part of ["巷口面馆", "4.3 分，满分 5 分", "20 篇笔记", "¥25/人", "营业中", "大关", "距市中心 1.2公里"]) {
    expect(text).toContain(part);
  }
});

test("the distance is one's own once the position is known", async () => {
  const wrapper = await card(SHOP);
  const getCurrentPosition: Geolocation["getCurrentPosition"] = (found) =>
    found({ coords: { longitude: 120, latitude: 30 } } as GeolocationPosition);
  vi.stubGlobal("navigator", { ...navigator, geolocation: { getCurrentPosition } });
  await usePlaceStore().locate();
  vi.unstubAllGlobals();
  expect(wrapper.text()).toContain("距你 1.2公里");
  expect(wrapper.text()).not.toContain("市中心");
});

test("what is not known is not invented", async () => {
  const wrapper = await card(BARE);
  expect(wrapper.text()).not.toMatch(/人均|\/人|公里|米|营业|休息/);
  expect(wrapper.text()).toContain("大关路1号");
});

test("a picture that is missing or broken leaves a sign in its place", async () => {
  expect((await card({ ...SHOP, images: "" })).find("img").exists()).toBe(false);
  const wrapper = await card(SHOP);
  await wrapper.get("img").trigger("error");
  expect(wrapper.find("img").exists()).toBe(false);
});

test("after hours it is closed", async () => {
  expect((await card(SHOP, 23 * 60)).text()).toContain("休息中");
});
