// The note being written, kept in this browser from the first letter until it is published or started over.
import { computed, reactive, ref, toRef, watch } from "vue";
import { dropDraft, keepDraft, readDraft, type Draft } from "./draft";
import type { usePictures } from "./usePictures";

const BLANK: Omit<Draft, "pictures"> = { title: "", text: "", stars: null, shop: null };

export function useNoteDraft(userId: number | undefined, album: ReturnType<typeof usePictures>) {
  const draft = reactive({ ...BLANK });
  /** Whether what is shown was begun on an earlier visit. */
  const restored = ref(false);
  const whole = computed<Draft>(() => ({ ...draft, pictures: album.names.value }));
  const kept = userId === undefined ? null : readDraft(userId);

  if (kept !== null) {
    const { pictures, ...rest } = kept;
    Object.assign(draft, rest);
    album.restore(pictures);
    restored.value = true;
  }

  const stop = watch(whole, (next) => {
    if (userId !== undefined) keepDraft(userId, next);
  });

  function startOver(): void {
    for (const picture of [...album.pictures.value]) album.remove(picture);
    Object.assign(draft, BLANK);
    restored.value = false;
  }

  /** Published: nothing is kept from here on. */
  function finish(): void {
    stop();
    if (userId !== undefined) dropDraft(userId);
  }

  return { draft, shop: toRef(draft, "shop"), restored, startOver, finish };
}
