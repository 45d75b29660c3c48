// Notes: read in lists and one by one, liked, published, changed and deleted.
import { call, type CallOptions, type DataOf } from "@/shared/api/client";
import type { CursorQuery } from "@/shared/composables/pageLoader";

export type Note = NonNullable<DataOf<"get", "/api/blog/{id}">>;
export type NewNote = NonNullable<CallOptions<"post", "/api/blog">["body"]>;
export type DraftRead = NonNullable<DataOf<"get", "/api/blog/draft">>[number];
export type DraftContent = DraftRead["content"];
export type NoteEdit = NonNullable<CallOptions<"put", "/api/blog/{id}">["body"]>;
export type Liker = NonNullable<DataOf<"get", "/api/blog/likes/{id}">>[number];

/** Notes on a page of any list but the feed; a shorter page is the last. */
export const NOTES_PER_PAGE = 10;

/** The position in the feed: the last millisecond seen, and how many of its notes were. */
export interface FeedCursor {
  lastId: number;
  offset: number;
}

/** With a point only those about shops around it. */
export async function listHotNotes(page: number, point?: { x: number; y: number }): Promise<Note[]> {
  return (await call("get", "/api/blog/hot", { query: { current: page, ...point } })) ?? [];
}

/** Which notes about a shop: all of them, those that gave so many stars, or those that recommend a dish. */
export interface NotesWanted {
  stars: number | null;
  dish: string | null;
}

export const ALL_NOTES: NotesWanted = { stars: null, dish: null };

export async function listNotesOfShop(shopId: number, page: number, { stars, dish }: NotesWanted = ALL_NOTES): Promise<Note[]> {
  const query = { id: shopId, current: page, ...(stars !== null && { stars }), ...(dish !== null && { dish }) };
  return (await call("get", "/api/blog/of/shop", { query })) ?? [];
}

export async function listNotesOfUser(userId: number, page: number): Promise<Note[]> {
  return (await call("get", "/api/blog/of/user", { query: { id: userId, current: page } })) ?? [];
}

/** Without a cursor the newest; without `next` there are no more. */
export async function readFeed(cursor?: FeedCursor): Promise<{ items: Note[]; next: FeedCursor | undefined }> {
  const page = await call("get", "/api/blog/of/follow", { query: { ...cursor } });
  if (page === undefined) return { items: [], next: undefined };
  return { items: page.list, next: { lastId: page.minTime, offset: page.offset } };
}

/** By words in their title or text. */
export async function searchNotes(q: string, query: CursorQuery) {
  return (await call("get", "/api/search/notes", { query: { q, ...query } })) ?? { list: [] };
}

export type TopicPage = NonNullable<DataOf<"get", "/api/blog/of/topic">>;

/** The newest first, with how many there are in all. */
export async function listNotesOfTopic(name: string, query: CursorQuery): Promise<TopicPage> {
  return (await call("get", "/api/blog/of/topic", { query: { name, ...query } })) ?? { name, notes: 0, list: [] };
}

export async function getNote(id: number): Promise<Note | undefined> {
  return call("get", "/api/blog/{id}", { path: { id } });
}

/** Toggles the like. */
export async function toggleNoteLike(id: number): Promise<void> {
  await call("put", "/api/blog/like/{id}", { path: { id } });
}

/** The first five, earliest first. */
export async function listLikers(id: number): Promise<Liker[]> {
  return (await call("get", "/api/blog/likes/{id}", { path: { id } })) ?? [];
}

/** Sent again with its key, it is the same note. */
export async function publishNote(note: NewNote, key: string): Promise<number | undefined> {
  return call("post", "/api/blog", { body: note, headers: { "Idempotency-Key": key } });
}

/** My drafts on all devices, what was saved last first. */
export async function listDrafts(): Promise<DraftRead[]> {
  return (await call("get", "/api/blog/draft")) ?? [];
}

/** Refused if another device saved it since this revision, which is 0 for a new one, or if somebody else is signed in by now. */
export async function storeDraft(userId: number, key: string, revision: number, content: DraftContent) {
  return call("put", "/api/blog/draft/{key}", { path: { key }, body: { userId, revision, content } });
}

export async function deleteStoredDraft(key: string): Promise<void> {
  await call("delete", "/api/blog/draft/{key}", { path: { key } });
}

/** Refused if the note was changed since `edits` was read. */
export async function editNote(id: number, edit: NoteEdit): Promise<void> {
  await call("put", "/api/blog/{id}", { path: { id }, body: edit });
}

export async function reportNote(id: number, reason: string): Promise<void> {
  await call("post", "/api/blog/{id}/report", { path: { id }, body: { reason } });
}

export async function deleteNote(id: number): Promise<void> {
  await call("delete", "/api/blog/{id}", { path: { id } });
}
