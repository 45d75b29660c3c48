// A list of notes in numbered pages.
import type { MaybeRefOrGetter } from "vue";
import { pageLoader } from "@/shared/composables/pageLoader";
import { useInfiniteList } from "@/shared/composables/useInfiniteList";
import { NOTES_PER_PAGE, type Note } from "./api";

export function useNoteList(fetchPage: (page: number) => Promise<Note[]>, cacheKey: MaybeRefOrGetter<string>) {
  return useInfiniteList<Note>({ load: pageLoader(fetchPage, NOTES_PER_PAGE), key: (note) => note.id, cacheKey });
}
