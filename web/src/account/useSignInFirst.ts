// For buttons that anyone sees and only members may press: a visitor is sent to sign in, and back to this page.
import { useRoute, useRouter } from "vue-router";
import { signInFor } from "./sessionGuard";
import { useSessionStore } from "./sessionStore";

export function useSignInFirst() {
  const session = useSessionStore();
  const route = useRoute();
  const router = useRouter();

  /** Whether to go on. A server that cannot be asked is left to the request itself, which will say so. */
  return async function signedIn(): Promise<boolean> {
    if ((await session.ensure()) !== "out") return true;
    await router.push(signInFor(route.fullPath));
    return false;
  };
}
