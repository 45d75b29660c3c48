// Whether the user keeps a shop. A tap shows at once; the requests go one after another, so the last wish is the one that
// stays, and after a failure the heart shows what the server last confirmed.
import { ref } from "vue";
import { useSessionStore } from "@/account/sessionStore";
import { useSignedInAction } from "@/account/useSignedInAction";
import { getListOf, keepShop, WANT_TO_TRY } from "./api";

export function useFavourite(shopId: number) {
  const session = useSessionStore();
  const act = useSignedInAction();
  /** As shown: the list that the shop is in, or null. */
  const listId = ref<number | null>(null);
  let confirmed: number | null = null;
  let wanted: number | null = null;
  let touched = false;
  let sending = false;

  /** Never rejects: if unknown, the heart is empty, and saving may be repeated. */
  async function load(): Promise<void> {
    await session.restore();
    if (!session.signedIn) return;
    const found = await getListOf(shopId).catch(() => undefined);
    if (found === undefined || touched) return;
    confirmed = wanted = listId.value = found;
  }

  async function sendWishes(): Promise<void> {
    do {
      const wish = wanted;
      listId.value = wish;
      await keepShop(shopId, wish);
      confirmed = wish;
    } while (wanted !== confirmed);
  }

  /** Whether the server has accepted it, or will be asked after a request under way. */
  async function toggle(): Promise<boolean> {
    touched = true;
    wanted = wanted === null ? WANT_TO_TRY : null;
    if (sending) {
      listId.value = wanted;
      return true;
    }
    sending = true;
    const accepted = await act(sendWishes);
    sending = false;
    if (!accepted) wanted = listId.value = confirmed;
    return accepted;
  }

  return { listId, load, toggle };
}
