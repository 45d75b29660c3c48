// For pages whose truth may have changed while nobody looked: told whenever the page is seen again.
import { onScopeDispose } from "vue";

export function useReturning(onReturn: () => void): void {
  const look = () => {
    if (document.visibilityState === "visible") onReturn();
  };
  document.addEventListener("visibilitychange", look);
  onScopeDispose(() => document.removeEventListener("visibilitychange", look));
}
