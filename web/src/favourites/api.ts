// The shops that a person keeps, the lists that they are in, and the notes that a person keeps.
import { call, type DataOf } from "@/shared/api/client";
import type { CursorQuery } from "@/shared/composables/pageLoader";

export type FavouriteList = NonNullable<DataOf<"get", "/api/favourite/list">>[number];
export type SavedShop = NonNullable<DataOf<"get", "/api/favourite">>["list"][number];
export type SavedNote = NonNullable<DataOf<"get", "/api/favourite/note">>["list"][number];

/** The list that everybody has; it has no name of its own. */
export const WANT_TO_TRY = 0;
/** The server's limit. */
export const LIST_NAME_MAX = 20;

/** The list that the shop is in; null if the user does not keep it. */
export async function getListOf(shopId: number): Promise<number | null> {
  const favourite = await call("get", "/api/favourite/shop/{id}", { path: { id: shopId } });
  return favourite?.listId ?? null;
}

/** Saves the shop into the list, moves it there, or with null removes it. Each may be repeated. */
export async function keepShop(shopId: number, listId: number | null): Promise<void> {
  const path = { id: shopId };
  if (listId === null) await call("delete", "/api/favourite/shop/{id}", { path });
  else await call("put", "/api/favourite/shop/{id}", { path, body: { listId } });
}

export async function listSavedShops(list: number, query: CursorQuery): Promise<{ list: SavedShop[]; cursor?: string }> {
  return (await call("get", "/api/favourite", { query: { ...query, list } })) ?? { list: [] };
}

export async function getLists(): Promise<FavouriteList[]> {
  return (await call("get", "/api/favourite/list")) ?? [];
}

/** The id of the list; the one of this name, if there is one. */
export async function createList(name: string): Promise<number | undefined> {
  return call("post", "/api/favourite/list", { body: { name } });
}

export async function renameList(id: number, name: string): Promise<void> {
  await call("put", "/api/favourite/list/{id}", { path: { id }, body: { name } });
}

/** Its shops move to the list that everybody has. */
export async function deleteList(id: number): Promise<void> {
  await call("delete", "/api/favourite/list/{id}", { path: { id } });
}

export async function isNoteKept(noteId: number): Promise<boolean> {
  return (await call("get", "/api/favourite/note/{id}", { path: { id: noteId } })) ?? false;
}

/** Keeps the note, or keeps it no longer. Each may be repeated. */
export async function keepNote(noteId: number, kept: boolean): Promise<void> {
  const path = { id: noteId };
  if (kept) await call("put", "/api/favourite/note/{id}", { path });
  else await call("delete", "/api/favourite/note/{id}", { path });
}

export async function listSavedNotes(query: CursorQuery): Promise<{ list: SavedNote[]; cursor?: string }> {
  return (await call("get", "/api/favourite/note", { query })) ?? { list: [] };
}
