// The draft of a note, stored in this browser until it is published, so that a closed tab loses nothing.
// Invariants: a draft is shown to its author alone; a storage that is blocked, full or corrupt costs the draft, never the page.
import { isMention, type Mention } from "@/notes/text/textParts";
import { newKey } from "@/shared/idempotencyKeys";
import { ASPECTS, type Ratings } from "@/shared/aspects";

export interface Draft {
  /** What the request to publish it is called: the same however often it is sent, so it makes one note. */
  key: string;
  title: string;
  text: string;
  stars: number | null;
  ratings: Ratings;
  /** Names of what it recommends. */
  dishes: readonly string[];
  shop: { id: number; name: string; typeId?: number } | null;
  /** Names of pictures that are on the server already. */
  pictures: string[];
  /** Who was chosen to be mentioned. */
  mentions: Mention[];
}

export function readDraft(userId: number): Draft | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "null");
    if (!isDraft(stored)) return null;
    const { key, ratings, dishes, mentions } = stored;
    return {
      ...stored,
      key: isKey(key) ? key : newKey(),
      ratings: ratingsOf(ratings),
      dishes: isTexts(dishes) ? dishes : [],
      mentions: Array.isArray(mentions) ? mentions.filter(isMention) : [],
    };
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
function isEmpty({ title, text, stars, dishes, pictures }: Draft): boolean {
  return title.trim() === "" && text.trim() === "" && stars === null && dishes.length === 0 && pictures.length === 0;
}

/** A draft of an earlier version has none, and mentions nobody. */
function isKey(key: unknown): key is string {
  return typeof key === "string" && key !== "";
}

/** A draft of an earlier version has none. */
function ratingsOf(stored: unknown): Ratings {
  if (!isRecord(stored)) return {};
  const rating = (value: unknown) => (typeof value === "number" ? value : null);
  return Object.fromEntries(ASPECTS.map((aspect) => [aspect, rating(stored[aspect])]));
}

function isTexts(stored: unknown): stored is string[] {
  return Array.isArray(stored) && stored.every((text) => typeof text === "string");
}

/** What earlier versions did not have is read with care. */
type StoredDraft = Omit<Draft, "key" | "ratings" | "dishes" | "mentions"> & { key?: unknown; ratings?: unknown; dishes?: unknown; mentions?: unknown };

function isDraft(stored: unknown): stored is StoredDraft {
  if (!isRecord(stored)) return false;
  const { title, text, stars, shop, pictures } = stored;
  return (
    typeof title === "string" &&
    typeof text === "string" &&
    (stars === null || typeof stars === "number") &&
    (shop === null || (isRecord(shop) && typeof shop["id"] === "number" && typeof shop["name"] === "string")) &&
    isTexts(pictures)
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
