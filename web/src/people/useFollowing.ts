// Whom the person in front of the screen follows, among those a page shows, and changing it.
import { reactive } from "vue";
import { useSessionStore } from "@/account/sessionStore";
import { useMemberAction } from "@/account/useMemberAction";
import { isFollowing, setFollowing } from "./api";

export function useFollowing() {
  const session = useSessionStore();
  const act = useMemberAction();
  /** Only those that were asked for; for a visitor, nobody. */
  const following = reactive(new Map<number, boolean>());
  const underWay = reactive(new Set<number>());

  /** Never rejects: not knowing shows a button to follow, and following twice is following once. */
  async function look(id: number): Promise<void> {
    await session.restore();
    if (!session.signedIn || session.me?.id === id) return;
    const found = await isFollowing(id).catch(() => undefined);
    if (found !== undefined && !underWay.has(id)) following.set(id, found);
  }

  /** Whether the server has taken it. */
  async function toggle(id: number): Promise<boolean> {
    if (underWay.has(id)) return false;
    underWay.add(id);
    const next = !following.get(id);
    const taken = await act(() => setFollowing(id, next));
    if (taken) following.set(id, next);
    underWay.delete(id);
    return taken;
  }

  return { following, underWay, look, toggle };
}
