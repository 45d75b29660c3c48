// Whether the user keeps a shop, and in which list.
import { getListOf, keepShop, WANT_TO_TRY } from "./api";
import { useWish } from "./useWish";

export function useFavourite(shopId: number) {
  const { shown, load, toggle } = useWish<number | null>({
    initial: null,
    read: () => getListOf(shopId),
    write: (list) => keepShop(shopId, list),
    toggled: (list) => (list === null ? WANT_TO_TRY : null),
  });
  /** As shown: the list that the shop is in, or null. */
  return { listId: shown, load, toggle };
}
