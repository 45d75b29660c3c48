// Asks for confirmation before a form with unsaved changes is left, in the app and when the tab is closed.
import { onScopeDispose, type Ref } from "vue";
import { onBeforeRouteLeave } from "vue-router";

export function useUnsavedGuard(dirty: Readonly<Ref<boolean>>, confirmLeave: () => Promise<boolean>): void {
  onBeforeRouteLeave(() => (dirty.value ? confirmLeave() : true));

  const onUnload = (event: BeforeUnloadEvent) => {
    if (dirty.value) event.preventDefault();
  };
  window.addEventListener("beforeunload", onUnload);
  onScopeDispose(() => window.removeEventListener("beforeunload", onUnload));
}
