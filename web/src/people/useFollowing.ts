// Whom the user follows, among the people on a page, and toggling it.
import { reactive } from "vue";
import { useSessionStore } from "@/account/sessionStore";
import { useSignedInAction } from "@/account/useSignedInAction";
import { isFollowing, setFollowing } from "./api";

export function useFollowing() {
  const session = useSessionStore();
  const act = useSignedInAction();
  /** Only those that were loaded; empty for a visitor. */
  const following = reactive(new Map<number, boolean>());
  const pending = reactive(new Set<number>());

  /** Never rejects: if unknown, the button says "follow", and following is idempotent. */
  async function load(id: number): Promise<void> {
    await session.restore();
    if (!session.signedIn || session.me?.id === id) return;
    const found = await isFollowing(id).catch(() => undefined);
    if (found !== undefined && !pending.has(id)) following.set(id, found);
  }

  /** Whether the server has accepted it. */
  async function toggle(id: number): Promise<boolean> {
    if (pending.has(id)) return false;
    pending.add(id);
    const next = !following.get(id);
    const accepted = await act(() => setFollowing(id, next));
    if (accepted) following.set(id, next);
    pending.delete(id);
    return accepted;
  }

  /** For visitors the server does not say, and there is no button. */
  function addListed(people: readonly { id: number; isFollowed?: boolean | undefined }[]): void {
    for (const { id, isFollowed } of people) {
      if (isFollowed !== undefined && !following.has(id)) following.set(id, isFollowed);
    }
  }

  return { following, pending, load, toggle, addListed };
}
