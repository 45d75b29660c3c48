// Comments that were begun and not sent, stored in this browser per user and note, so that neither a lost network nor a
// closed tab costs what was written.
// Invariants: a draft is shown to its author alone; a storage that is blocked, full or corrupt costs the draft, never the page.

import { isMention, type Mention } from "@/notes/text/textParts";

/** The oldest are dropped first. */
const DRAFTS_MAX = 20;

/** With whom was chosen to be mentioned, if anybody was. */
type Drafts = [noteId: number, text: string, mentions?: Mention[]][];

export function readCommentDraft(userId: number | undefined, noteId: number): string {
  return read(userId).find(([id]) => id === noteId)?.[1] ?? "";
}

export function readDraftMentions(userId: number | undefined, noteId: number): Mention[] {
  const stored: unknown = read(userId).find(([id]) => id === noteId)?.[2];
  return Array.isArray(stored) ? stored.filter(isMention) : [];
}

/** A blank text is deleted. */
export function saveCommentDraft(userId: number | undefined, noteId: number, text: string, mentions: Mention[] = []): void {
  const others = read(userId).filter(([id]) => id !== noteId);
  const drafts: Drafts = text.trim() === "" ? others : [...others, mentions.length > 0 ? [noteId, text, mentions] : [noteId, text]];
  try {
    if (drafts.length === 0) localStorage.removeItem(keyOf(userId));
    else localStorage.setItem(keyOf(userId), JSON.stringify(drafts.slice(-DRAFTS_MAX)));
  } catch {
    // The draft lasts as long as the page.
  }
}

function read(userId: number | undefined): Drafts {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isDraft) : [];
  } catch {
    return [];
  }
}

function isDraft(stored: unknown): stored is Drafts[number] {
  return Array.isArray(stored) && typeof stored[0] === "number" && typeof stored[1] === "string";
}

/** Visitors write too, and are sent to sign-in when they send. */
function keyOf(userId: number | undefined): string {
  return `tandian.comments.${userId ?? "visitor"}`;
}
