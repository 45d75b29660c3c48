// Whether the user keeps a note.
import { isNoteKept, keepNote } from "./api";
import { useWish } from "./useWish";

export function useNoteFavourite(noteId: number) {
  const { shown, load, toggle } = useWish({
    initial: false,
    read: () => isNoteKept(noteId),
    write: (kept) => keepNote(noteId, kept),
    toggled: (kept) => !kept,
  });
  return { kept: shown, load, toggle };
}
