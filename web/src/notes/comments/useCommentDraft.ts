// The text of a comment that is being written, stored as it is typed. Invariant: a text on screen belongs to whoever is
// signed in. What was written before signing in goes with its author; what a user wrote stays theirs when they sign out.
import { ref, watch } from "vue";
import { useSessionStore } from "@/account/sessionStore";
import { readCommentDraft, saveCommentDraft } from "./commentDrafts";

export function useCommentDraft(noteId: number) {
  const session = useSessionStore();
  let author = session.me?.id;
  const text = ref(claimDraft());
  /** Whether the text is from an earlier visit. */
  const restored = ref(text.value !== "");

  watch(text, (written) => {
    saveCommentDraft(author, noteId, written);
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
    if (own !== "" || author === undefined) return own;
    const written = readCommentDraft(undefined, noteId);
    if (written !== "") moveTo(author, written);
    return written;
  }

  function moveTo(userId: number | undefined, written: string): void {
    saveCommentDraft(undefined, noteId, "");
    saveCommentDraft(userId, noteId, written);
  }

  return { text, restored };
}
