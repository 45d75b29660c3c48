// Whether the user blocks a person, and changing it.
import { ref } from "vue";
import { useI18n } from "vue-i18n";
import { confirm } from "@/shared/dialog";
import { showToast } from "@/shared/toast";
import { isBlocked, setBlocked } from "./blocksApi";
import { useSessionStore } from "./sessionStore";
import { useSignedInAction } from "./useSignedInAction";

export function useBlocking() {
  const { t } = useI18n();
  const session = useSessionStore();
  const act = useSignedInAction();
  const blocked = ref(false);
  const busy = ref(false);
  let touched = false;

  /** Never rejects: if unknown, the button says "block", and blocking may be repeated. */
  async function load(id: number): Promise<void> {
    await session.restore();
    if (!session.signedIn || session.me?.id === id) return;
    const found = await isBlocked(id).catch(() => undefined);
    if (found !== undefined && !touched) blocked.value = found;
  }

  async function set(id: number, wish: boolean): Promise<boolean> {
    if (busy.value) return false;
    busy.value = touched = true;
    const accepted = await act(() => setBlocked(id, wish));
    busy.value = false;
    if (!accepted) return false;
    blocked.value = wish;
    showToast(t(wish ? "block.done" : "block.undone"));
    return true;
  }

  /** Asks first, because it ends follows. Whether the server has accepted it. */
  async function block(person: { id: number; name: string }): Promise<boolean> {
    if (!(await confirm(t("block.confirm", { name: person.name }), { confirmText: t("block.yes") }))) return false;
    return set(person.id, true);
  }

  const unblock = (id: number): Promise<boolean> => set(id, false);

  return { blocked, busy, load, block, unblock };
}
