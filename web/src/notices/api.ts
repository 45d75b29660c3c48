// Notices about a user's orders and about what others do with their notes, and which of the latter they want.
import { call, type DataOf } from "@/shared/api/client";
import type { CursorQuery } from "@/shared/composables/pageLoader";

type NoticePage = NonNullable<DataOf<"get", "/api/notices">>;
export type Notice = NoticePage["list"][number];

export const NOTICE_EVENTS_URL = "/api/notices/events";

export async function listNotices(query: CursorQuery & { size?: number }): Promise<NoticePage> {
  return (await call("get", "/api/notices", { query })) ?? { list: [], unread: 0 };
}

/** Those before it count as read too. Resolves with how many are left. */
export async function markNoticesRead(lastId: number): Promise<number> {
  return (await call("post", "/api/notices/read", { body: { lastId } }))?.unread ?? 0;
}

export type NoticeSettings = NonNullable<DataOf<"get", "/api/notices/settings">>;

export async function getNoticeSettings(): Promise<NoticeSettings | undefined> {
  return call("get", "/api/notices/settings");
}

export async function setNoticeSettings(settings: NoticeSettings): Promise<void> {
  await call("put", "/api/notices/settings", { body: settings });
}

/** The notice in an event, if it is one. */
export function readNoticeEvent(data: unknown): Notice | null {
  const isNotice = typeof data === "object" && data !== null && "id" in data && "kind" in data;
  return isNotice ? (data as Notice) : null;
}
