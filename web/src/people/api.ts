// Public profiles, and follows.
import { call, type DataOf } from "@/shared/api/client";
import type { CursorQuery } from "@/shared/composables/pageLoader";

export type Person = NonNullable<DataOf<"get", "/api/user/{id}">>;
export type PeoplePage = NonNullable<DataOf<"get", "/api/follow/fans/{id}">>;
export type ListedPerson = PeoplePage["list"][number];

/** Absent if there is no such person. */
export async function getPerson(id: number): Promise<Person | undefined> {
  return call("get", "/api/user/{id}", { path: { id } });
}

/** Idempotent. */
export async function setFollowing(id: number, follow: boolean): Promise<void> {
  await call("put", "/api/follow/{id}/{follow}", { path: { id, follow } });
}

export async function isFollowing(id: number): Promise<boolean> {
  return (await call("get", "/api/follow/or/not/{id}", { path: { id } })) ?? false;
}

/** People whom both this person and the user follow. */
export async function listCommonFollows(id: number): Promise<Person[]> {
  return (await call("get", "/api/follow/common/{id}", { path: { id } })) ?? [];
}

/** The latest first. */
export async function listFans(id: number, query: CursorQuery): Promise<PeoplePage> {
  return (await call("get", "/api/follow/fans/{id}", { path: { id }, query })) ?? { list: [] };
}

export async function listFollowees(id: number, query: CursorQuery): Promise<PeoplePage> {
  return (await call("get", "/api/follow/followees/{id}", { path: { id }, query })) ?? { list: [] };
}

/** By words in their name. */
export async function searchPeople(q: string, query: CursorQuery): Promise<PeoplePage> {
  return (await call("get", "/api/search/people", { query: { q, ...query } })) ?? { list: [] };
}
