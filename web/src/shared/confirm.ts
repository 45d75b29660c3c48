// Asking before something that cannot be taken back.
import { showConfirmDialog, type DialogOptions } from "vant/es/dialog";
import "vant/es/dialog/style";

/** Vant rejects when the person says no; here that is an answer like any other. */
export async function confirmed(message: string, options: DialogOptions = {}): Promise<boolean> {
  try {
    await showConfirmDialog({ ...options, message });
    return true;
  } catch {
    return false;
  }
}
