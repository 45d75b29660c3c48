// The shops of one list, each with what is under way. A shop that is removed or moved leaves the page at once, and comes
// back if the server did not accept it.
import { computed, reactive, type Ref } from "vue";
import { useSignedInAction } from "@/account/useSignedInAction";
import { cursorLoader } from "@/shared/composables/pageLoader";
import { useInfiniteList } from "@/shared/composables/useInfiniteList";
import { keepShop, listSavedShops, type SavedShop } from "./api";

export function useSavedShops(list: Readonly<Ref<number>>) {
  const act = useSignedInAction();
  const left = reactive(new Set<number>());
  const pages = useInfiniteList<SavedShop, string>({
    load: cursorLoader((query) => listSavedShops(list.value, query)),
    key: (saved) => saved.shopId,
  });
  const shops = computed(() => pages.items.value.filter((saved) => !left.has(saved.shopId)));
  const frame = computed(() => ({ ...pages.frame.value, count: shops.value.length }));

  /** Into another list, or with null into none. Whether the server has accepted it. */
  async function move(shopId: number, to: number | null): Promise<boolean> {
    if (left.has(shopId) || to === list.value) return false;
    left.add(shopId);
    const accepted = await act(() => keepShop(shopId, to));
    if (!accepted) left.delete(shopId);
    return accepted;
  }

  async function restart(): Promise<void> {
    left.clear();
    await pages.restart();
  }

  return { shops, frame, move, restart, loadMore: pages.loadMore };
}
