// What the user wants kept, as one button of a page shows it. A tap shows at once; the requests go one after another, so the
// last wish is the one that stays, and after a failure the button shows what the server last confirmed.
import { shallowRef } from "vue";
import { useSessionStore } from "@/account/sessionStore";
import { useSignedInAction } from "@/account/useSignedInAction";

interface WishOptions<T> {
  /** Before anything is known, and for visitors. */
  initial: T;
  read: () => Promise<T>;
  /** May be repeated. */
  write: (wish: T) => Promise<void>;
  /** What a tap wishes. */
  toggled: (wish: T) => T;
}

export function useWish<T>({ initial, read, write, toggled }: WishOptions<T>) {
  const session = useSessionStore();
  const act = useSignedInAction();
  const shown = shallowRef(initial);
  let confirmed = initial;
  let wanted = initial;
  let touched = false;
  let sending = false;

  /** Never rejects: if unknown, nothing is kept as far as the button knows, and keeping may be repeated. */
  async function load(): Promise<void> {
    await session.restore();
    if (!session.signedIn) return;
    const found = await read().then(
      (value) => ({ value }),
      () => undefined,
    );
    if (found === undefined || touched) return;
    confirmed = wanted = shown.value = found.value;
  }

  async function sendWishes(): Promise<void> {
    do {
      const wish = wanted;
      shown.value = wish;
      await write(wish);
      confirmed = wish;
    } while (wanted !== confirmed);
  }

  /** Whether the server has accepted it, or will be asked after a request under way. */
  async function toggle(): Promise<boolean> {
    touched = true;
    wanted = toggled(wanted);
    if (sending) {
      shown.value = wanted;
      return true;
    }
    sending = true;
    const accepted = await act(sendWishes);
    sending = false;
    if (!accepted) wanted = shown.value = confirmed;
    return accepted;
  }

  return { shown, load, toggle };
}
