// The draft of the note on the page, stored in this browser until it is published or started over.
import { computed, reactive, ref, toRef, watch } from "vue";
import { deleteDraft, saveDraft, readDraft, type Draft } from "./draft";
import type { usePictures } from "./usePictures";

const BLANK: Omit<Draft, "pictures"> = { title: "", text: "", stars: null, shop: null };

export function useNoteDraft(userId: number | undefined, album: ReturnType<typeof usePictures>) {
  const draft = reactive({ ...BLANK });
  /** Whether the draft is from an earlier visit. */
  const restored = ref(false);
  const whole = computed<Draft>(() => ({ ...draft, pictures: album.names.value }));
  const stored = userId === undefined ? null : readDraft(userId);

  if (stored !== null) {
    const { pictures, ...rest } = stored;
    Object.assign(draft, rest);
    album.restore(pictures);
    restored.value = true;
  }

  const stop = watch(whole, (next) => {
    if (userId !== undefined) saveDraft(userId, next);
  });

  function startOver(): void {
    for (const picture of [...album.pictures.value]) album.remove(picture);
    Object.assign(draft, BLANK);
    restored.value = false;
  }

  /** Published: nothing is stored from here on. */
  function finish(): void {
    stop();
    if (userId !== undefined) deleteDraft(userId);
  }

  return { draft, shop: toRef(draft, "shop"), restored, startOver, finish };
}
