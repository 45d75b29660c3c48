// Pictures without those that cannot be loaded: gone, or on a host that the Content-Security-Policy does not name.
import { computed, ref, type ComputedRef } from "vue";

export function useLoadedPictures(list: () => readonly string[]): { pictures: ComputedRef<string[]>; drop: (url: string) => void } {
  const broken = ref<ReadonlySet<string>>(new Set());
  const pictures = computed(() => list().filter((url) => !broken.value.has(url)));
  function drop(url: string): void {
    broken.value = new Set(broken.value).add(url);
  }
  return { pictures, drop };
}
