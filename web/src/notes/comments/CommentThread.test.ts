import { mount, RouterLinkStub } from "@vue/test-utils";
import { expect, test } from "vitest";
import { plugins } from "@/shared/testing";
import CommentComposer from "./CommentComposer.vue";
import CommentThread from "./CommentThread.vue";
import type { ShownComment, ShownThread } from "./useComments";

const FIRST: ShownComment = {
  id: 1,
  blogId: 1,
  userId: 3,
  icon: "",
  name: "阿福",
  parentId: 0,
  answerId: 0,
  content: "人多吗？",
  liked: 0,
  createdAtMs: 0,
};
const ANSWER: ShownComment = { ...FIRST, id: 2, userId: 7, name: "小满", parentId: 1, answerId: 1, content: "<b>不多</b>" };
const THREAD: ShownThread = {
  ...FIRST,
  replies: [ANSWER, { ...FIRST, id: 3, parentId: 1, answerId: 2, content: "谢谢" }],
  replyCount: 5,
};

async function mountThread(over: { userId?: number; moderates?: boolean } = {}) {
  const props = { thread: THREAD, authorId: 7, userId: over.userId, moderates: over.moderates ?? false, loadingReplies: false };
  return mount(CommentThread, { props, global: { plugins: await plugins(), stubs: { RouterLink: RouterLinkStub } } });
}

test("text is text, whatever it looks like", async () => {
  const thread = await mountThread();
  expect(thread.text()).toContain("<b>不多</b>");
  expect(thread.find(".text b").exists()).toBe(false);
});

test("a reply says whom it answers, unless that is the thread itself", async () => {
  const texts = (await mountThread()).findAll(".text").map((text) => text.text());
  expect(texts.map((text) => text.includes("回复"))).toEqual([false, false, true]);
  expect(texts[2]).toContain("回复 小满");
});

test("comments and replies of the note's author are marked, and nobody else's", async () => {
  const thread = await mountThread();
  const marked = thread.findAll('[data-test="comment"]').map((item) => item.find('[data-test="author-mark"]').exists());
  expect(marked).toEqual([false, true, false]);
  expect(thread.find('[data-test="author-mark"]').text()).toBe("作者");
});

test("one's own comment can be deleted, others' reported; moderators delete any", async () => {
  const count = (thread: Awaited<ReturnType<typeof mountThread>>, name: string) => thread.findAll(`[data-test="${name}"]`).length;
  const mine = await mountThread({ userId: 7 });
  expect([count(mine, "delete-comment"), count(mine, "report")]).toEqual([1, 2]);
  const all = await mountThread({ moderates: true });
  expect([count(all, "delete-comment"), count(all, "report")]).toEqual([3, 0]);
});

test("what is not shown yet is offered", async () => {
  const thread = await mountThread();
  const more = thread.get('[data-test="more-replies"]');
  expect(more.text()).toContain("3");
  await more.trigger("click");
  expect(thread.emitted("moreReplies")).toHaveLength(1);
});

async function mountComposer(text: string) {
  const props = { modelValue: text, mentions: [], replyingTo: null, sending: false };
  return mount(CommentComposer, { props, global: { plugins: await plugins() } });
}

test("blanks and overlong texts are not sent", async () => {
  for (const text of ["", "   ", "字".repeat(256)]) {
    const composer = await mountComposer(text);
    await composer.get("form").trigger("submit");
    expect(composer.emitted("send")).toBeUndefined();
  }
  const composer = await mountComposer("字".repeat(255));
  await composer.get("form").trigger("submit");
  expect(composer.emitted("send")).toHaveLength(1);
});

test("the Enter that ends a composition sends nothing", async () => {
  const composer = await mountComposer("好吃");
  await composer.get("input").trigger("keydown", { key: "Enter", isComposing: true });
  expect(composer.emitted("send")).toBeUndefined();
  await composer.get("input").trigger("keydown", { key: "Enter" });
  expect(composer.emitted("send")).toHaveLength(1);
});
