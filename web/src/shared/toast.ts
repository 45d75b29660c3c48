// One short message over the page. A newer one replaces it; AppToast.vue shows it.
import { readonly, ref } from "vue";

const DURATION_MS = 2_000;

const message = ref("");
let timer: ReturnType<typeof setTimeout> | undefined;

export function showToast(text: string): void {
  clearTimeout(timer);
  message.value = text;
  timer = setTimeout(() => (message.value = ""), DURATION_MS);
}

export const toastMessage = readonly(message);
