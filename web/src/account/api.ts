// The endpoints of a user's account.
import { call, type CallOptions, type DataOf } from "@/shared/api/client";
import type { ContactKind } from "@/shared/site/api";

export interface Contact {
  kind: ContactKind;
  value: string;
}

/** What proves who signs in. */
export type Credential = { code: string } | { password: string };
/** What proves that a password may be replaced; nothing, when there is none yet. */
export type PasswordProof = { oldPassword: string } | { code: string } | Record<never, never>;

export type Me = NonNullable<DataOf<"get", "/api/user/me">>;
export type Info = NonNullable<DataOf<"get", "/api/user/info/{id}">>;
export type InfoChanges = NonNullable<CallOptions<"put", "/api/user/info">["body"]>;
export type Session = NonNullable<DataOf<"get", "/api/user/sessions">>[number];
export type Contacts = NonNullable<DataOf<"get", "/api/user/contacts">>;
/** Whether the account that a number had is one's own. */
export type NumberClaim = NonNullable<NonNullable<CallOptions<"post", "/api/user/login">["body"]>["claim"]>;
type SentCode = NonNullable<DataOf<"post", "/api/user/code">>;

export async function sendCode(contact: Contact): Promise<SentCode | undefined> {
  return call("post", "/api/user/code", { body: contactBody(contact) });
}

/** The reply's token is for clients without cookies; a browser holds the session in the cookie set with it. */
export async function signIn(contact: Contact, credential: Credential, ticket?: string): Promise<void> {
  const answer = ticket === undefined ? {} : { claim: "mine" as const, ticket };
  await call("post", "/api/user/login", { body: { ...contactBody(contact), ...credential, ...answer } });
}

/** Answers the question whose account a proven number has. */
export async function answerNumberQuestion(contact: Contact, claim: NumberClaim, ticket: string): Promise<void> {
  await call("post", "/api/user/login", { body: { ...contactBody(contact), claim, ticket } });
}

/** Masked. */
export async function getContacts(): Promise<Contacts> {
  return (await call("get", "/api/user/contacts")) ?? {};
}

/** Resolves to the ticket for one change. */
export async function permitContactChange(code: string): Promise<string | undefined> {
  return (await call("post", "/api/user/contacts/permit", { body: { code } }))?.ticket;
}

export async function setContact(contact: Contact, code: string, ticket: string): Promise<void> {
  await call("put", "/api/user/contacts", { body: { ...contactBody(contact), code, ticket } });
}

export async function removeContact(kind: ContactKind, ticket: string): Promise<void> {
  await call("delete", "/api/user/contacts", { body: { kind, ticket } });
}

export async function hasPassword(): Promise<boolean> {
  return (await call("get", "/api/user/password"))?.isSet ?? false;
}

export async function setPassword(password: string, proof: PasswordProof): Promise<void> {
  await call("put", "/api/user/password", { body: { password, ...proof } });
}

export async function removePassword(proof: PasswordProof): Promise<void> {
  await call("delete", "/api/user/password", { body: proof });
}

export async function signOut(): Promise<void> {
  await call("post", "/api/user/logout");
}

export async function getMe(): Promise<Me | undefined> {
  return call("get", "/api/user/me");
}

/** Absent for users without a profile. */
export async function getInfo(userId: number): Promise<Info | undefined> {
  return call("get", "/api/user/info/{id}", { path: { id: userId } });
}

export async function updateInfo(changes: InfoChanges): Promise<void> {
  await call("put", "/api/user/info", { body: changes });
}

export async function listSessions(): Promise<Session[]> {
  return (await call("get", "/api/user/sessions")) ?? [];
}

export async function endSession(n: number): Promise<void> {
  await call("delete", "/api/user/sessions/{n}", { path: { n } });
}

function contactBody(contact: Contact): { phone: string } | { email: string } {
  return contact.kind === "phone" ? { phone: contact.value } : { email: contact.value };
}
