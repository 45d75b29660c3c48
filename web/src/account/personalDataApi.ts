// The endpoints of a user's own data: the export, and the deletion of the account.
import { call, type DataOf } from "@/shared/api/client";
import type { ContactKind } from "@/shared/site/api";

export type PersonalData = NonNullable<DataOf<"post", "/api/user/export">>;
export type Deletion = NonNullable<DataOf<"get", "/api/user/deletion">>;
export type Obstacle = Deletion["obstacles"][number];
export type SentConfirmation = NonNullable<DataOf<"post", "/api/user/confirmation">>;

/** Sends a code to the account's own number or address; the number, if it has both and none is named. */
export async function sendConfirmation(kind?: ContactKind): Promise<SentConfirmation | undefined> {
  return call("post", "/api/user/confirmation", kind === undefined ? {} : { query: { kind } });
}

/** Shortly after signing in it takes no code. */
export async function exportPersonalData(code?: string): Promise<PersonalData | undefined> {
  return call("post", "/api/user/export", { body: code === undefined ? {} : { code } });
}

export async function getDeletion(): Promise<Deletion | undefined> {
  return call("get", "/api/user/deletion");
}

/** Resolves to when the account is deleted; every session ends. */
export async function requestDeletion(code: string): Promise<number | undefined> {
  return (await call("post", "/api/user/deletion", { body: { code } }))?.dueAtMs;
}

export async function keepAccount(): Promise<void> {
  await call("delete", "/api/user/deletion");
}
