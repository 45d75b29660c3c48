// For buttons that everybody sees and only signed-in users may press: a visitor is sent to sign-in, and back to this page.
import { useRoute, useRouter } from "vue-router";
import { signInFor } from "./sessionGuard";
import { useSessionStore } from "./sessionStore";

export function useRequireSignIn() {
  const session = useSessionStore();
  const route = useRoute();
  const router = useRouter();

  /** Whether to go on. While the session is unknown the request itself goes on, and fails if it must. */
  return async function requireSignIn(): Promise<boolean> {
    if ((await session.ensure()) !== "out") return true;
    await router.push(signInFor(route.fullPath));
    return false;
  };
}
