import { mount, RouterLinkStub } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import type { Notice } from "./api";
import NoticeItem from "./NoticeItem.vue";

const NOTICE: Notice = { id: 3, kind: "order_paid", orderId: "77", isRead: false, createTime: "", createdAtMs: 1 };

async function subjectOf(more: Partial<Notice>) {
  const global = { plugins: await plugins(), stubs: { RouterLink: true, "router-link": true } };
  const item = mount(NoticeItem, { props: { notice: { ...NOTICE, orderId: "", ...more }, nowMs: 2 }, global });
  const subject = item.find('[data-test="notice-subject"]');
  return subject.exists() ? subject.text() : undefined;
}

test("a notice says which voucher, which shop and how much", async () => {
  expect(await subjectOf({ title: "双人套餐", shopName: "老街面馆", amount: 990 })).toBe("双人套餐 · 老街面馆 · ¥9.9");
});

test("a notice about people names the newest and counts the others", async () => {
  const event = { userId: 9, name: "小满", icon: "", people: 4, blogId: 5, blogTitle: "好面", content: "" };
  const global = { plugins: await plugins(), stubs: { RouterLink: RouterLinkStub } };
  const item = mount(NoticeItem, { props: { notice: { ...NOTICE, kind: "note_liked", orderId: "", event }, nowMs: 2 }, global });
  expect(item.text()).toContain("小满 和另外 3 人喜欢你的笔记");
  expect(item.find('[data-test="notice-subject"]').text()).toBe("好面");
  expect(item.find('[data-test="notice-text"]').exists()).toBe(false);
  await item.setProps({ notice: { ...NOTICE, kind: "followed", orderId: "", event: { ...event, people: 1, name: "" } } });
  expect(item.text()).toContain("已注销的用户 关注了你");
});

test("what the server leaves out is left out", async () => {
  expect(await subjectOf({ title: "双人套餐", amount: 0 })).toBe("双人套餐 · ¥0");
  expect(await subjectOf({})).toBeUndefined();
});
