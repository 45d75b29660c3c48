// Whether something has taken longer than a person at a counter waits: then a copy is shown in its place.
import { ref, watch } from "vue";
import { useRetryTimer } from "@/shared/composables/useRetryTimer";

/** A network that is slower counts as none. */
export const PATIENCE_MS = 2_000;

export function usePatience(waiting: () => boolean) {
  const isOver = ref(false);
  const timer = useRetryTimer(() => (isOver.value = true));
  watch(
    waiting,
    (is) => {
      isOver.value = false;
      if (is) timer.start(PATIENCE_MS);
      else timer.stop();
    },
    { immediate: true },
  );
  return isOver;
}
