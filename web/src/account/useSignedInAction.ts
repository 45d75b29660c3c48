// An action that needs a session, on a page that everybody may see. A visitor is sent to sign-in and back, and so is a user
// whose session ended while the page was open; any other failure is shown as a toast, and the page stays as it is.
import { ApiError } from "@/shared/api/client";
import { useErrorText } from "@/shared/composables/useErrorText";
import { showToast } from "@/shared/toast";
import { useRequireSignIn } from "./useRequireSignIn";

export function useSignedInAction() {
  const errorText = useErrorText();
  const requireSignIn = useRequireSignIn();

  /** Whether the action succeeded. Never rejects. */
  return async function act(task: () => Promise<void>): Promise<boolean> {
    try {
      if (!(await requireSignIn())) return false;
      await task();
      return true;
    } catch (error) {
      const ended = error instanceof ApiError && error.status === 401;
      if (!ended || (await requireSignIn())) showToast(errorText(error));
      return false;
    }
  };
}
