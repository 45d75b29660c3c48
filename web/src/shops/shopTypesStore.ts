// The kinds of shops, loaded once and shared by every page that offers them.
import { defineStore } from "pinia";
import { computed, ref, shallowRef } from "vue";
import { listShopTypes, typeIconUrl, type ShopType } from "./api";

export const useShopTypesStore = defineStore("shopTypes", () => {
  const types = shallowRef<readonly ShopType[]>([]);
  const failure = shallowRef<unknown>();
  const loaded = ref(false);
  const failed = computed(() => failure.value !== undefined);
  let loading: Promise<void> | null = null;

  /** Never rejects: `failure` has the error, and the next call retries. */
  function load(): Promise<void> {
    if (loaded.value) return Promise.resolve();
    loading ??= listShopTypes()
      .then((list) => {
        types.value = list;
        loaded.value = true;
        failure.value = undefined;
      })
      .catch((error: unknown) => void (failure.value = error))
      .finally(() => void (loading = null));
    return loading;
  }

  function nameOf(id: number): string | undefined {
    return types.value.find((type) => type.id === id)?.name;
  }

  /** The URL of its picture. */
  function iconOf(id: number): string | undefined {
    const icon = types.value.find((type) => type.id === id)?.icon;
    return icon && typeIconUrl(icon);
  }

  return { types, loaded, failed, failure, load, nameOf, iconOf };
});
