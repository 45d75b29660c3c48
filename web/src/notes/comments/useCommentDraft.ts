// The text of a comment that is being written, stored as it is typed. Invariant: a text on screen belongs to whoever is
// signed in. What was written before signing in goes with its author; what a user wrote stays theirs when they sign out.
import { ref, watch } from "vue";
import { useSessionStore } from "@/account/sessionStore";
import { mentionedIn, type Mention } from "@/notes/text/textParts";
import { readCommentDraft, readDraftMentions, saveCommentDraft } from "./commentDrafts";

export function useCommentDraft(noteId: number) {
  const session = useSessionStore();
  let author = session.me?.id;
  /** Who was chosen to be mentioned in it. */
  const mentions = ref<Mention[]>([]);
  const text = ref(claimDraft());
  /** Whether the text is from an earlier visit. */
  const restored = ref(text.value !== "");

  watch([text, mentions], ([written]) => {
    saveCommentDraft(author, noteId, written, mentionedIn(written, mentions.value));
    if (written === "") restored.value = false;
  });
  // The session may be restored after the page.
  watch(
    () => session.me?.id,
    (userId) => {
      const isNew = author === undefined && text.value !== "" && !restored.value;
      author = userId;
      if (isNew) return moveTo(userId, text.value);
      text.value = claimDraft();
      restored.value = text.value !== "";
    },
  );

  /** The author's own draft, or else what they wrote before they signed in. */
  function claimDraft(): string {
    const own = readCommentDraft(author, noteId);
    mentions.value = readDraftMentions(author, noteId);
    if (own !== "" || author === undefined) return own;
    const written = readCommentDraft(undefined, noteId);
    mentions.value = readDraftMentions(undefined, noteId);
    if (written !== "") moveTo(author, written);
    return written;
  }

  function moveTo(userId: number | undefined, written: string): void {
    saveCommentDraft(undefined, noteId, "");
    saveCommentDraft(userId, noteId, written, mentionedIn(written, mentions.value));
  }

  return { text, mentions, restored };
}
