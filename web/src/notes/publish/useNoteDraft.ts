// The draft of the note on the page: stored in this browser at once, and on the server for the author's other devices.
import { computed, reactive, ref, toRef, watch } from "vue";
import type { DraftRead } from "@/notes/api";
import { newKey } from "@/shared/idempotencyKeys";
import { BLANK, deleteDraft, isEmpty, readDraft, saveDraft, writtenIn, type Draft, type Written } from "./draft";
import { useDraftSync } from "./useDraftSync";
import type { usePictures } from "./usePictures";

export function useNoteDraft(userId: number | undefined, album: ReturnType<typeof usePictures>) {
  const draft = reactive({ ...BLANK });
  /** Whether the draft is from an earlier visit. */
  const restored = ref(false);
  const written = computed<Written>(() => ({ ...draft, pictures: album.names.value }));
  const stored = userId === undefined ? null : readDraft(userId);
  const key = ref(stored?.key ?? newKey());
  const sync = useDraftSync({ written, key, stored, replace, uploading: album.uploading, userId });
  const whole = computed<Draft>(() => ({ ...written.value, key: key.value, revision: sync.revision.value, unsaved: sync.unsaved.value }));

  if (stored !== null) {
    show(stored.key, stored);
    restored.value = true;
  }

  const stop = watch(whole, (next) => {
    if (userId !== undefined) saveDraft(userId, next);
  });

  function show(shownKey: string, { title, text, stars, ratings, dishes, shop, mentions, pictures }: Written): void {
    Object.assign(draft, { title, text, stars, ratings, dishes, shop, mentions });
    key.value = shownKey;
    album.reset(pictures);
  }

  /** Another draft takes the page; without one it is blank. */
  function replace(next: DraftRead | null): void {
    show(next?.key ?? newKey(), next === null ? { ...BLANK, pictures: [] } : writtenIn(next.content));
    restored.value = next !== null;
  }

  /** Its pictures go with it. */
  async function startOver(): Promise<void> {
    const given = key.value;
    for (const picture of [...album.pictures.value]) album.remove(picture);
    await sync.discard(given);
  }

  /** Published: nothing is stored from here on. */
  function finish(): void {
    stop();
    sync.stop();
    if (userId !== undefined) deleteDraft(userId);
  }

  const empty = computed(() => isEmpty(written.value));
  return { draft, key, shop: toRef(draft, "shop"), restored, empty, sync, startOver, finish };
}
