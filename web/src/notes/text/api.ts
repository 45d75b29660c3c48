// Whom a text may mention, and the topics that exist.
import { call, type DataOf } from "@/shared/api/client";

export type MentionablePerson = NonNullable<DataOf<"get", "/api/search/people">>["list"][number];
export type CountedTopic = NonNullable<DataOf<"get", "/api/topic/suggestions">>[number];

/** Those whom the user followed last. */
export async function listFollowed(userId: number): Promise<MentionablePerson[]> {
  return (await call("get", "/api/follow/followees/{id}", { path: { id: userId } }))?.list ?? [];
}

/** By words in their name. */
export async function findPeople(q: string, signal: AbortSignal): Promise<MentionablePerson[]> {
  return (await call("get", "/api/search/people", { query: { q }, signal }))?.list ?? [];
}

/** Those that begin with what is typed, those of most notes first. */
export async function suggestTopics(q: string, signal: AbortSignal): Promise<CountedTopic[]> {
  return (await call("get", "/api/topic/suggestions", { query: { q }, signal })) ?? [];
}
