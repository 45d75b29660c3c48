// The draft of the note on the page, stored in this browser until it is published or started over.
import { computed, reactive, ref, toRef, watch } from "vue";
import { newKey } from "@/shared/idempotencyKeys";
import { deleteDraft, saveDraft, readDraft, type Draft } from "./draft";
import type { usePictures } from "./usePictures";

const BLANK: Omit<Draft, "pictures" | "key"> = { title: "", text: "", stars: null, ratings: {}, dishes: [], shop: null, mentions: [] };

export function useNoteDraft(userId: number | undefined, album: ReturnType<typeof usePictures>) {
  const draft = reactive({ ...BLANK });
  const key = ref(newKey());
  /** Whether the draft is from an earlier visit. */
  const restored = ref(false);
  const whole = computed<Draft>(() => ({ ...draft, key: key.value, pictures: album.names.value }));
  const stored = userId === undefined ? null : readDraft(userId);

  if (stored !== null) {
    const { pictures, key: kept, ...rest } = stored;
    Object.assign(draft, rest);
    key.value = kept;
    album.restore(pictures);
    restored.value = true;
  }

  const stop = watch(whole, (next) => {
    if (userId !== undefined) saveDraft(userId, next);
  });

  function startOver(): void {
    for (const picture of [...album.pictures.value]) album.remove(picture);
    Object.assign(draft, BLANK);
    key.value = newKey();
    restored.value = false;
  }

  /** Published: nothing is stored from here on. */
  function finish(): void {
    stop();
    if (userId !== undefined) deleteDraft(userId);
  }

  return { draft, key, shop: toRef(draft, "shop"), restored, startOver, finish };
}
