// Choosing the shop of a note: from the URL, from suggestions while typing, or from a search.
import { ref, shallowRef, watch, type Ref } from "vue";
import { findShops, getShop, type Shop } from "./api";
import { ApiError } from "@/shared/api/client";
import { useSuggestions } from "@/shared/composables/useSuggestions";

/** As many as fit above a phone's keyboard. */
const SUGGESTIONS_MAX = 6;

/** As much of a shop as a note's draft stores. */
export type ChosenShop = Pick<Shop, "id" | "name"> & { typeId?: number };

export function useShopChoice(chosen: Ref<ChosenShop | null>) {
  const typed = ref("");
  /** Null until a search was sent. */
  const found = shallowRef<readonly Shop[] | null>(null);
  const { suggestions, clear } = useSuggestions(typed, async (text) => (await findShops(text)).slice(0, SUGGESTIONS_MAX));
  watch(typed, () => (found.value = null));

  async function search(text: string): Promise<void> {
    clear();
    if (text !== "") found.value = await findShops(text);
  }

  function pick(shop: Shop): void {
    chosen.value = { id: shop.id, name: shop.name, typeId: shop.typeId };
    typed.value = "";
    clear();
  }

  /** Never rejects: without the shop the user chooses one by name. */
  async function pickById(id: number): Promise<void> {
    const before = chosen.value;
    if (before?.id === id && before.name !== "") return;
    try {
      const shop = await getShop(id);
      // Another one may have been chosen meanwhile.
      if (shop && chosen.value === before) pick(shop);
    } catch (error) {
      const isGone = error instanceof ApiError && error.code === "shop_not_found";
      if (isGone && before?.id === id && chosen.value === before) chosen.value = null;
    }
  }

  return { typed, suggestions, found, search, pick, pickById };
}
