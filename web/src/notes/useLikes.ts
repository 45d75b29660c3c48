// Liking something, or no longer. Shown at once and taken back if the server refuses. Invariant: one request at a time
// for each thing, because the server flips what was: a hasty second tap would undo the first.
import { useMemberAction } from "@/account/useMemberAction";

export interface Likeable {
  id: number;
  liked: number;
  isLike?: boolean;
}

/** What is given to `toggle` is changed in place, so it has to be reactive. */
export function useLikes(send: (id: number) => Promise<void>) {
  const act = useMemberAction();
  const underWay = new Set<number>();

  /** Whether the server has taken it. */
  async function toggle(target: Likeable): Promise<boolean> {
    if (underWay.has(target.id)) return false;
    underWay.add(target.id);
    try {
      return await act(() => flipAndSend(target));
    } finally {
      underWay.delete(target.id);
    }
  }

  async function flipAndSend(target: Likeable): Promise<void> {
    flip(target);
    try {
      await send(target.id);
    } catch (error) {
      flip(target);
      throw error;
    }
  }

  return { toggle };
}

function flip(target: Likeable): void {
  target.isLike = !target.isLike;
  target.liked = Math.max(0, target.liked + (target.isLike ? 1 : -1));
}
