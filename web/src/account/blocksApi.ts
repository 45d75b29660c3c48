// People whom the user blocks.
import { call, type DataOf } from "@/shared/api/client";
import type { CursorQuery } from "@/shared/composables/pageLoader";

export type BlockedPerson = NonNullable<DataOf<"get", "/api/block">>["list"][number];

export async function isBlocked(id: number): Promise<boolean> {
  return (await call("get", "/api/block/{id}", { path: { id } })) ?? false;
}

/** Each may be repeated. */
export async function setBlocked(id: number, blocked: boolean): Promise<void> {
  const path = { id };
  if (blocked) await call("put", "/api/block/{id}", { path });
  else await call("delete", "/api/block/{id}", { path });
}

/** Whom the user blocks, the latest first. */
export async function listBlocked(query: CursorQuery): Promise<{ list: BlockedPerson[]; cursor?: string }> {
  return (await call("get", "/api/block", { query })) ?? { list: [] };
}
