// What the server asks somebody who proved a number that may have been given to somebody else.
import { ApiError } from "@/shared/api/client";
import type { Contact } from "./api";

export interface NumberQuestion {
  contact: Contact;
  ticket: string;
  /** Of the account, masked. */
  nickName: string;
  /** How its owner proves it; empty if their word must do. */
  proofs: ("email" | "password")[];
}

const IN_QUESTION = "number_in_question";

/** The question of a refusal, if it is one. */
export function questionOf(error: unknown, contact: Contact): NumberQuestion | null {
  if (!(error instanceof ApiError) || error.code !== IN_QUESTION) return null;
  const data = error.data as { ticket?: unknown; nickName?: unknown; proofs?: unknown } | undefined;
  if (typeof data?.ticket !== "string" || !Array.isArray(data.proofs)) return null;
  const known = (["email", "password"] as const).filter((proof) => (data.proofs as unknown[]).includes(proof));
  return { contact, ticket: data.ticket, nickName: typeof data.nickName === "string" ? data.nickName : "*", proofs: known };
}
