// The draft of a note, stored in this browser until it is published, so that a closed tab loses nothing.
// Invariants: a draft is shown to its author alone; a storage that is blocked, full or corrupt costs the draft, never the page.
import type { DraftContent } from "@/notes/api";
import { isMention, type Mention } from "@/notes/text/textParts";
import { newKey } from "@/shared/idempotencyKeys";
import { ASPECTS, type Ratings } from "@/shared/aspects";

export interface Draft {
  /** What the request to publish it is called: the same however often it is sent, so it makes one note. */
  key: string;
  /** What the server had when this device last read or saved it; 0 if it has none. */
  revision: number;
  /** Whether the server lacks something of it. */
  unsaved: boolean;
  title: string;
  text: string;
  stars: number | null;
  ratings: Ratings;
  /** Names of what it recommends. */
  dishes: readonly string[];
  /** Without a name until it is read. */
  shop: { id: number; name: string; typeId?: number } | null;
  /** Names of pictures that are on the server already. */
  pictures: string[];
  /** Who was chosen to be mentioned. */
  mentions: Mention[];
}

/** What the author wrote. */
export type Written = Omit<Draft, "key" | "revision" | "unsaved">;

export const BLANK: Omit<Written, "pictures"> = { title: "", text: "", stars: null, ratings: {}, dishes: [], shop: null, mentions: [] };

export function readDraft(userId: number): Draft | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keyOf(userId)) ?? "null");
    if (!isDraft(stored)) return null;
    const { key, ratings, dishes, mentions, revision, unsaved } = stored;
    return {
      ...stored,
      key: isKey(key) ? key : newKey(),
      revision: typeof revision === "number" ? revision : 0,
      unsaved: unsaved !== false,
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

/** As it is sent. Two of the same are the same text when written out. */
export function contentOf({ title, text, pictures, shop, stars, ratings, dishes, mentions }: Written): DraftContent {
  const given = ASPECTS.filter((aspect) => typeof ratings[aspect] === "number");
  return {
    title,
    text,
    pictures: [...pictures],
    ...(shop !== null && { shopId: shop.id }),
    ...(stars !== null && { score: stars }),
    ...(given.length > 0 && { ratings: Object.fromEntries(given.map((aspect) => [aspect, ratings[aspect]])) }),
    dishes: [...dishes],
    mentions: mentions.map(({ userId, name }) => ({ userId, name })),
  };
}

/** As it was read. Its shop has no name yet. */
export function writtenIn({ title, text, pictures, shopId, score, ratings, dishes, mentions }: DraftContent): Written {
  return {
    title,
    text,
    stars: score ?? null,
    ratings: { ...ratings },
    dishes: dishes ?? [],
    shop: shopId === undefined ? null : { id: shopId, name: "" },
    pictures: pictures ?? [],
    mentions: mentions ?? [],
  };
}

function keyOf(userId: number): string {
  return `tandian.draft.${userId}`;
}

/** A shop alone came from the URL and is no draft. */
export function isEmpty({ title, text, stars, dishes, pictures }: Written): boolean {
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
type Later = "key" | "revision" | "unsaved" | "ratings" | "dishes" | "mentions";
type StoredDraft = Omit<Draft, Later> & Partial<Record<Later, unknown>>;

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
