// One run at a time: a second tap while the first is under way does nothing.
import { ref } from "vue";

export function useBusy() {
  const busy = ref(false);

  async function run(task: () => Promise<void>): Promise<void> {
    if (busy.value) return;
    busy.value = true;
    try {
      await task();
    } finally {
      busy.value = false;
    }
  }

  return { busy, run };
}
