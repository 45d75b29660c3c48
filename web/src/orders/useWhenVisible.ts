// For pages whose data may have changed in the background: calls back whenever the page becomes visible again.
import { onScopeDispose } from "vue";

export function useWhenVisible(callback: () => void): void {
  const onChange = () => {
    if (document.visibilityState === "visible") callback();
  };
  document.addEventListener("visibilitychange", onChange);
  onScopeDispose(() => document.removeEventListener("visibilitychange", onChange));
}
