// What others recommend at the shop of a note, to choose from while it is written.
import { shallowRef, watch, type Ref } from "vue";
import { listDishes } from "./api";

/** As many as the server lists. */
const KNOWN_MAX = 50;

export function useKnownDishes(shopId: Readonly<Ref<number | undefined>>) {
  const known = shallowRef<readonly string[]>([]);
  watch(
    shopId,
    async (shop) => {
      known.value = [];
      if (shop === undefined) return;
      // Optional: without suggestions one types.
      const found = await listDishes(shop, KNOWN_MAX).catch(() => []);
      if (shop === shopId.value) known.value = found.map(({ name }) => name);
    },
    { immediate: true },
  );
  return known;
}
