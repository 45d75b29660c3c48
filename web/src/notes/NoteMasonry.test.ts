import { mount, RouterLinkStub } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import type { Note } from "./api";
import NoteMasonry from "./NoteMasonry.vue";

const NOTE: Note = {
  id: 1,
  shopId: 2,
  userId: 3,
  icon: "",
  name: "小满",
  title: "一碗好面",
  images: "/imgs/demo/noodle-01.jpg,/imgs/demo/noodle-02.jpg",
  content: "面",
  liked: 12_000,
  comments: 0,
  createTime: "2026-10-31T03:01:39",
  updateTime: "2026-10-31T03:01:39",
  createdAtMs: 0,
  edits: 0,
};

async function mountWith(notes: Note[]) {
  const global = { plugins: await plugins(), stubs: { RouterLink: RouterLinkStub } };
  return mount(NoteMasonry, { props: { notes }, global });
}

test("a card says what the note is, by whom, and how many like it, and leads to it", async () => {
  const list = await mountWith([NOTE]);
  expect(list.text()).toContain("一碗好面");
  expect(list.text()).toContain("小满");
  expect(list.text()).toContain("1.2万 人喜欢");
  expect(list.getComponent(RouterLinkStub).props("to")).toEqual({ name: "note", params: { id: 1 } });
  expect(list.get(".cover img").attributes("src")).toBe("/imgs/demo/noodle-01.jpg?size=small");
});

test("a picture that cannot be shown leaves no hole", async () => {
  const list = await mountWith([NOTE]);
  await list.get(".cover img").trigger("error");
  expect(list.find(".cover img").exists()).toBe(false);
  expect(list.find(".cover svg").exists()).toBe(true);
});

test("every note is there once, whatever the number of columns", async () => {
  const notes = [1, 2, 3, 4, 5].map((id) => ({ ...NOTE, id }));
  const list = await mountWith(notes);
  expect(list.findAll('[data-test="note-card"]')).toHaveLength(5);
  expect(list.findAll(".column")).toHaveLength(2);
});
