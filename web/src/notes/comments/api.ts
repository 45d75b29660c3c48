// Comments on notes, in threads of two levels.
import { call, type CallOptions, type DataOf } from "@/shared/api/client";
import { sendOnce } from "@/shared/idempotencyKeys";

type Thread = NonNullable<DataOf<"get", "/api/blog-comments/{id}">>[number];
export type Comment = NonNullable<DataOf<"get", "/api/blog-comments/{id}/replies">>[number];
type NewComment = NonNullable<CallOptions<"post", "/api/blog-comments">["body"]>;

/** Threads on a page, and replies on a page of a thread; a shorter page is the last. */
export const COMMENTS_PER_PAGE = 10;

/** Newest first; each with its first replies. */
export async function listThreads(noteId: number, page: number): Promise<Thread[]> {
  return (await call("get", "/api/blog-comments/{id}", { path: { id: noteId }, query: { current: page } })) ?? [];
}

/** Oldest first. */
export async function listReplies(threadId: number, page: number): Promise<Comment[]> {
  const options = { path: { id: threadId }, query: { current: page } };
  return (await call("get", "/api/blog-comments/{id}/replies", options)) ?? [];
}

/** The same words are sent under the same key until the outcome is known: a lost reply makes no second comment. */
export async function createComment(comment: NewComment): Promise<number | undefined> {
  return sendOnce(`comment.${JSON.stringify(comment)}`, (key) =>
    call("post", "/api/blog-comments", { body: comment, headers: { "Idempotency-Key": key } }),
  );
}

/** Toggles the like. */
export async function toggleCommentLike(id: number): Promise<void> {
  await call("put", "/api/blog-comments/like/{id}", { path: { id } });
}

/** Deleting the first comment of a thread deletes its replies. */
export async function deleteComment(id: number): Promise<void> {
  await call("delete", "/api/blog-comments/{id}", { path: { id } });
}

export async function reportComment(id: number, reason: string): Promise<void> {
  await call("post", "/api/blog-comments/{id}/report", { path: { id }, body: { reason } });
}
