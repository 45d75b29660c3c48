// Whether something has taken longer than a person at a counter waits: then a copy is shown in its place.
import { ref, watch } from "vue";
import { useRetryTimer } from "@/shared/composables/useRetryTimer";
import { PATIENCE_MS } from "@/shared/patience";

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
