// Liking something, or no longer. Shown at once and taken back if the server refuses. Invariant: one request at a time
// for each thing, because the server flips what was: a hasty second tap would undo the first.
import { showToast } from "vant/es/toast";
import "vant/es/toast/style";
import { useErrorText } from "./useErrorText";
import { useSignInFirst } from "./useSignInFirst";

export interface Likeable {
  id: number;
  liked: number;
  isLike?: boolean;
}

/** What is given to `toggle` is changed in place, so it has to be reactive. */
export function useLikes(send: (id: number) => Promise<void>) {
  const errorText = useErrorText();
  const signedIn = useSignInFirst();
  const underWay = new Set<number>();

  /** Whether the server has taken it. */
  async function toggle(target: Likeable): Promise<boolean> {
    if (underWay.has(target.id)) return false;
    underWay.add(target.id);
    try {
      return (await signedIn()) && (await flipAndSend(target));
    } finally {
      underWay.delete(target.id);
    }
  }

  async function flipAndSend(target: Likeable): Promise<boolean> {
    flip(target);
    try {
      await send(target.id);
      return true;
    } catch (error) {
      flip(target);
      showToast(errorText(error));
      return false;
    }
  }

  return { toggle };
}

function flip(target: Likeable): void {
  target.isLike = !target.isLike;
  target.liked = Math.max(0, target.liked + (target.isLike ? 1 : -1));
}
