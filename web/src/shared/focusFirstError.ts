// After a form was refused: its first wrong field comes into view and gets the focus, so that nobody searches for it.
import { nextTick } from "vue";

/** Whether there was one. */
export async function focusFirstError(form: HTMLElement | null | undefined): Promise<boolean> {
  await nextTick();
  const field = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  if (!field) return false;
  field.focus({ preventScroll: true });
  field.scrollIntoView({ block: "center" });
  return true;
}
