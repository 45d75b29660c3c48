// The form of a note that is written or changed: its values, their problems, and the request. The server validates again.
import type { NewNote, NoteEdit } from "@/notes/api";
import { ApiError } from "@/shared/api/client";
import { CONTENT_MAX, contentOf, TITLE_MAX } from "@/notes/noteText";
import { mentionedIn, type Mention } from "@/notes/text/textParts";
import { lengthOf } from "@/shared/textLength";
import { ASPECTS, type Ratings } from "@/shared/aspects";

/** What a page shows without becoming an album. */
export const PICTURES_MAX = 9;

export interface NoteForm {
  title: string;
  /** As typed, in lines. */
  text: string;
  /** Names of pictures that are on the server. */
  pictures: readonly string[];
  shopId: number | null;
  stars: number | null;
  /** Who was chosen to be mentioned in the text; some may not be in it any more. */
  mentions: readonly Mention[];
  /** Sent with stars only. */
  ratings: Ratings;
  dishes: readonly string[];
}

export type NoteField = "pictures" | "shop" | "title" | "text" | "dishes";
type NoteProblems = Partial<Record<NoteField, string>>;

/** The server's refusals that are about one field, and which. */
const FIELD_OF_CODE: Record<string, NoteField> = {
  note_title_invalid: "title",
  note_content_invalid: "text",
  note_mentions_too_many: "text",
  note_images_invalid: "pictures",
  note_dishes_invalid: "dishes",
  shop_not_found: "shop",
};

export function noteFieldOf(code: string): NoteField | undefined {
  return FIELD_OF_CODE[code];
}

/** Keys of messages; what is fine is left out. */
export function noteProblems(form: NoteForm): NoteProblems {
  const found: [NoteField, string | null][] = [
    ["pictures", form.pictures.length === 0 ? "publish.problem.pictures" : null],
    ["shop", form.shopId === null ? "publish.problem.shop" : null],
    ["title", lengthProblem(form.title.trim(), TITLE_MAX, "publish.problem.title")],
    ["text", lengthProblem(contentOf(form.text), CONTENT_MAX, "publish.problem.text")],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== null));
}

function lengthProblem(text: string, max: number, missing: string): string | null {
  if (text === "") return missing;
  return lengthOf(text) <= max ? null : "edit.problem.tooLong";
}

export function noteOf(form: NoteForm): NewNote {
  return { ...saidIn(form), ...(form.shopId !== null && { shopId: form.shopId }) };
}

function saidIn(form: NoteForm) {
  const mentions = mentionedIn(form.text, form.mentions).map(({ userId }) => userId);
  return {
    title: form.title.trim(),
    content: contentOf(form.text),
    images: form.pictures.join(","),
    ...(form.stars !== null && { score: form.stars, ...rated(form.ratings) }),
    ...(form.dishes.length > 0 && { dishes: [...form.dishes] }),
    ...(mentions.length > 0 && { mentions }),
  };
}

/** Nothing if no aspect is rated. */
function rated(ratings: Ratings): Pick<NewNote, "ratings"> {
  const given = ASPECTS.filter((aspect) => typeof ratings[aspect] === "number");
  if (given.length === 0) return {};
  return { ratings: Object.fromEntries(given.map((aspect) => [aspect, ratings[aspect]])) };
}

/** `edits` is of the note that was read; its shop stays. */
export function editOf(form: NoteForm, edits: number): NoteEdit {
  return { ...saidIn(form), edits };
}

/** The note that the draft has made already, if that is why it was refused. */
export function publishedNote(error: unknown): number | null {
  if (!(error instanceof ApiError) || error.code !== "note_already_published") return null;
  const { data } = error;
  const id = typeof data === "object" && data !== null && "id" in data ? data.id : null;
  return typeof id === "number" ? id : null;
}
