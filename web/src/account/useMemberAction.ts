// Something only members may do, from a page that anyone may see. A visitor is sent to sign in and back, and so is somebody whose
// session ended while the page was open; whatever else goes wrong is said, and the page stays as it is.
import { ApiError } from "@/shared/api/client";
import { useErrorText } from "@/shared/composables/useErrorText";
import { showToast } from "@/shared/toast";
import { useSignInFirst } from "./useSignInFirst";

export function useMemberAction() {
  const errorText = useErrorText();
  const signedIn = useSignInFirst();

  /** Whether it was done. Never rejects. */
  return async function act(task: () => Promise<void>): Promise<boolean> {
    try {
      if (!(await signedIn())) return false;
      await task();
      return true;
    } catch (error) {
      const ended = error instanceof ApiError && error.status === 401;
      if (!ended || (await signedIn())) showToast(errorText(error));
      return false;
    }
  };
}
