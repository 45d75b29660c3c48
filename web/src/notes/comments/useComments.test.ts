import { flushPromises } from "@vue/test-utils";
import { beforeEach, expect, test } from "vitest";
import { clearHistoryCache } from "@/shared/historyCache";
import { ok, serve, withSetup, type Reply } from "@/shared/testing";
import { useComments, type ShownThread } from "./useComments";

const ME = { id: 7, nickName: "小满", icon: "", roles: [] };

function comment(id: number, parentId = 0) {
  const author = { userId: 3, icon: "", name: "阿福" };
  return { id, blogId: 1, ...author, parentId, answerId: 0, content: `第 ${id} 条`, liked: 0, createdAtMs: 0 };
}

beforeEach(clearHistoryCache);

/** A thread of 12 replies, of which the first three come with it. */
function longThread() {
  const replies = Array.from({ length: 12 }, (_, at) => comment(101 + at, 100));
  return { thread: { ...comment(100), replies: replies.slice(0, 3), replyCount: 12 }, replies };
}

async function open(table: Record<string, Reply | (() => Reply)>) {
  const requests = serve(table);
  const { result } = await withSetup(() => useComments(1));
  await flushPromises();
  const first = () => result.items.value[0] as ShownThread;
  return { requests, comments: result, first };
}

function pageLoader(replies: ReturnType<typeof comment>[]) {
  return {
    "GET /api/blog-comments/100/replies?current=1": () => ok(replies.slice(0, 10)),
    "GET /api/blog-comments/100/replies?current=2": () => ok(replies.slice(10, 20)),
  };
}

test("replies are loaded to the end, each once and in order", async () => {
  const { thread, replies } = longThread();
  const { comments, first } = await open({ "GET /api/blog-comments/1?current=1": ok([thread]), ...pageLoader(replies) });
  await comments.loadReplies(first());
  expect(first().replies).toHaveLength(10);
  await comments.loadReplies(first());
  expect(first().replies.map((reply) => reply.id)).toEqual(replies.map((reply) => reply.id));
});

test("a reply written before the others were loaded ends up behind them", async () => {
  const { thread, replies } = longThread();
  const mine = comment(113, 100);
  const { comments, first } = await open({
    "GET /api/blog-comments/1?current=1": ok([thread]),
    "POST /api/blog-comments": ok(mine.id),
    ...pageLoader([...replies, mine]),
  });
  await comments.write(ME, "同感", { thread: first(), comment: first() });
  expect(first().replies.map((reply) => reply.id)).toEqual([101, 102, 103, 113]);
  expect(first().replyCount).toBe(13);
  await comments.loadReplies(first());
  await comments.loadReplies(first());
  expect(first().replies.map((reply) => reply.id)).toEqual([...replies.map((reply) => reply.id), 113]);
  expect(first().replyCount).toBe(13);
});

test("a deleted reply does not hide the one that moves up to the page before", async () => {
  const { thread, replies } = longThread();
  const { comments, first } = await open({
    "GET /api/blog-comments/1?current=1": ok([thread]),
    "DELETE /api/blog-comments/102": () => {
      replies.splice(1, 1);
      return ok();
    },
    ...pageLoader(replies),
  });
  await comments.loadReplies(first());
  const second = first().replies[1];
  if (second) await comments.remove(first(), second);
  while (first().replies.length < first().replyCount) await comments.loadReplies(first());
  expect(first().replies.map((reply) => reply.id)).toEqual(replies.map((reply) => reply.id));
});

test("a new comment is shown first, with what it replies to", async () => {
  const { comments, requests, first } = await open({
    "GET /api/blog-comments/1?current=1": ok([{ ...comment(100), replies: [], replyCount: 0 }]),
    "POST /api/blog-comments": ok(200),
  });
  await comments.write(ME, "好吃", null);
  expect(first()).toMatchObject({ id: 200, name: "小满", content: "好吃", replies: [] });
  expect(requests.at(-1)?.body).toEqual({ blogId: 1, content: "好吃", parentId: 0, answerId: 0 });
});

test("a thread that is deleted counts with its replies", async () => {
  const { thread } = longThread();
  const { comments, first } = await open({
    "GET /api/blog-comments/1?current=1": ok([thread]),
    "DELETE /api/blog-comments/100": ok(),
  });
  expect(await comments.remove(first(), first())).toBe(13);
  expect(comments.items.value).toEqual([]);
});
