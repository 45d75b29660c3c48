// Questions that must be answered before anything goes on, and messages that must be seen. One at a time: a newer one
// dismisses the one before. AppDialog.vue shows it.
import { readonly, shallowRef } from "vue";

interface DialogOptions {
  message: string;
  title?: string;
  /** Labels; the usual ones if not given. */
  confirmText?: string;
  cancelText?: string;
  /** Whether going back in the history dismisses it, which is the default. */
  closeOnPopstate?: boolean;
}

interface OpenDialog extends DialogOptions {
  kind: "confirm" | "message";
  close: (confirmed: boolean) => void;
}

const current = shallowRef<OpenDialog | null>(null);

/** Resolves to whether the person confirmed. */
export function confirm(message: string, options: Omit<DialogOptions, "message"> = {}): Promise<boolean> {
  return open("confirm", { ...options, message });
}

/** Resolves when it was closed. */
export async function showDialog(options: DialogOptions): Promise<void> {
  await open("message", options);
}

function open(kind: OpenDialog["kind"], options: DialogOptions): Promise<boolean> {
  current.value?.close(false);
  return new Promise((resolve) => {
    const dialog: OpenDialog = {
      ...options,
      kind,
      close: (confirmed) => {
        if (current.value === dialog) current.value = null;
        resolve(confirmed);
      },
    };
    current.value = dialog;
  });
}

export const openDialog = readonly(current);
