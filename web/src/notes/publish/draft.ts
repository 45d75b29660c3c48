// The draft of a note, stored in this browser until it is published, so that a closed tab loses nothing.
// Invariants: a draft is shown to its author alone; a storage that is blocked, full or corrupt costs the draft, never the page.
import { newKey } from "@/shared/idempotencyKeys";

export interface Draft {
  /** What the request to publish it is called: the same however often it is sent, so it makes one note. */
  key: string;
  title: string;
  text: string;
  stars: number | null;
  shop: { id: number; name: string } | null;
  /** Names of pictures that are on the server already. */
  pictures: string[];
}

export function readDraft(userId: number): Draft | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "null");
    if (!isDraft(stored)) return null;
    return { ...stored, key: isKey(stored.key) ? stored.key : newKey() };
  } catch {
    return null;
  }
}

/** An empty draft is deleted. */
export function saveDraft(userId: number, draft: Draft): void {
  try {
    if (isEmpty(draft)) localStorage.removeItem(keyOf(userId));
    else localStorage.setItem(keyOf(userId), JSON.stringify(draft));
  } catch {
    // The draft lasts as long as the page.
  }
}

export function deleteDraft(userId: number): void {
  try {
    localStorage.removeItem(keyOf(userId));
  } catch {
    // Nothing was stored either.
  }
}

function keyOf(userId: number): string {
  return `tandian.draft.${userId}`;
}

/** A shop alone came from the URL and is no draft. */
function isEmpty({ title, text, stars, pictures }: Draft): boolean {
  return title.trim() === "" && text.trim() === "" && stars === null && pictures.length === 0;
}

/** A draft of an earlier version has none. */
function isKey(key: unknown): key is string {
  return typeof key === "string" && key !== "";
}

function isDraft(stored: unknown): stored is Omit<Draft, "key"> & { key?: unknown } {
  if (!isRecord(stored)) return false;
  const { title, text, stars, shop, pictures } = stored;
  return (
    typeof title === "string" &&
    typeof text === "string" &&
    (stars === null || typeof stars === "number") &&
    (shop === null || (isRecord(shop) && typeof shop["id"] === "number" && typeof shop["name"] === "string")) &&
    Array.isArray(pictures) &&
    pictures.every((name) => typeof name === "string")
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
