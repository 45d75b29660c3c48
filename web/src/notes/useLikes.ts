// Toggling likes. Shown at once and reverted if the server refuses. Invariant: one request at a time per item, because the
// server toggles: a second tap would undo the first.
import { useSignedInAction } from "@/account/useSignedInAction";

interface Likeable {
  id: number;
  liked: number;
  isLike?: boolean;
}

/** `toggle` changes its argument in place, so that has to be reactive. */
export function useLikes(send: (id: number) => Promise<void>) {
  const act = useSignedInAction();
  const pending = new Set<number>();

  /** Whether the server has accepted it. */
  async function toggle(target: Likeable): Promise<boolean> {
    if (pending.has(target.id)) return false;
    pending.add(target.id);
    try {
      return await act(() => toggleAndSend(target));
    } finally {
      pending.delete(target.id);
    }
  }

  async function toggleAndSend(target: Likeable): Promise<void> {
    toggleLocally(target);
    try {
      await send(target.id);
    } catch (error) {
      toggleLocally(target);
      throw error;
    }
  }

  return { toggle };
}

function toggleLocally(target: Likeable): void {
  target.isLike = !target.isLike;
  target.liked = Math.max(0, target.liked + (target.isLike ? 1 : -1));
}
