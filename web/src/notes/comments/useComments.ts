// The comments of one note in threads: loading, writing, replying, deleting. What the user writes or deletes is shown at
// once in its place, without loading the threads again.
import { reactive, toValue, type MaybeRefOrGetter } from "vue";
import type { Me } from "@/account/api";
import { mentionedIn, type Mention } from "@/notes/text/textParts";
import { pageLoader } from "@/shared/composables/pageLoader";
import { useInfiniteList } from "@/shared/composables/useInfiniteList";
import { serverNowMs } from "@/shared/serverClock";
import * as api from "./api";

/** As the server has it, or just written; the site's wall clock is not needed to show it. */
export type ShownComment = Omit<api.Comment, "createTime">;
export type ShownThread = ShownComment & { replies: ShownComment[]; replyCount: number };

/** What a new comment replies to: a thread, and perhaps one of its replies. */
export interface Target {
  thread: ShownThread;
  comment: ShownComment;
}

export function useComments(noteId: MaybeRefOrGetter<number>) {
  const nextPage = new WeakMap<ShownThread, number>();
  const list = useInfiniteList<ShownThread>({
    load: pageLoader(async (page) => {
      const threads = await api.listThreads(toValue(noteId), page);
      return threads.map((thread) => reactive<ShownThread>(thread));
    }, api.COMMENTS_PER_PAGE),
    key: (thread) => thread.id,
    cacheKey: "comments",
  });

  /** Loads pages of replies from the first, although some come with their thread: none is shown twice. */
  async function loadReplies(thread: ShownThread): Promise<void> {
    const page = nextPage.get(thread) ?? 1;
    const found = await api.listReplies(thread.id, page);
    nextPage.set(thread, page + 1);
    const known = new Set(thread.replies.map((reply) => reply.id));
    const all = [...thread.replies, ...found.filter((reply) => !known.has(reply.id))];
    thread.replies = all.sort((one, other) => one.id - other.id);
    if (found.length < api.COMMENTS_PER_PAGE) thread.replyCount = thread.replies.length;
  }

  /** While the session is unknown the list is loaded again instead. */
  async function write(me: Me | null, content: string, target: Target | null, chosen: readonly Mention[] = []): Promise<void> {
    const mentions = mentionedIn(content, chosen);
    const named = mentions.length > 0 ? { mentions: mentions.map(({ userId }) => userId) } : {};
    const parentId = target?.thread.id ?? 0;
    const answerId = target?.comment.id ?? 0;
    const blogId = toValue(noteId);
    const id = await api.createComment({ blogId, content, parentId, answerId, ...named });
    if (id === undefined || me === null) return list.refresh();
    const author = { userId: me.id, name: me.nickName, icon: me.icon };
    const fresh = { mentions, liked: 0, isLike: false, createdAtMs: serverNowMs() };
    const written = { id, blogId, ...author, parentId, answerId, content, ...fresh };
    if (target === null) list.items.value = [reactive({ ...written, replies: [], replyCount: 0 }), ...list.items.value];
    else addReply(target.thread, written);
  }

  /** Resolves with the number of deleted comments: the first of a thread is deleted with its replies. */
  async function remove(thread: ShownThread, comment: ShownComment): Promise<number> {
    await api.deleteComment(comment.id);
    if (comment.id === thread.id) {
      list.items.value = list.items.value.filter((it) => it.id !== thread.id);
      return 1 + thread.replyCount;
    }
    thread.replies = thread.replies.filter((it) => it.id !== comment.id);
    thread.replyCount -= 1;
    // Whatever follows has moved up by one, perhaps across the edge of a page.
    nextPage.set(thread, Math.max(1, (nextPage.get(thread) ?? 1) - 1));
    return 1;
  }

  return { ...list, loadReplies, write, remove };
}

function addReply(thread: ShownThread, reply: ShownComment): void {
  thread.replies.push(reply);
  thread.replyCount += 1;
}
