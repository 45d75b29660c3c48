// A code to the account's own number or address that confirms what a stolen session must not do.
import { computed, ref, watch, type Ref } from "vue";
import { useI18n } from "vue-i18n";
import { ApiError } from "@/shared/api/client";
import { useBusy } from "@/shared/composables/useBusy";
import { useErrorText } from "@/shared/composables/useErrorText";
import type { ContactKind } from "@/shared/site/api";
import { sendConfirmation } from "./personalDataApi";
import { useCountdown } from "./useCountdown";
import type { CodeForm } from "./useSignIn";
import { codeProblem } from "./validation";

/** `kind` is which of the account's contacts gets the code; without one the server chooses. */
export function useConfirmation(codeLength: Readonly<Ref<number>>, kind: Readonly<Ref<ContactKind | undefined>> = ref()) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const code = ref("");
  const codeError = ref<string | null>(null);
  const sentTo = ref<string | null>(null);
  const demoCode = ref<string | null>(null);
  const sending = useBusy();
  const wait = useCountdown();
  watch(code, () => (codeError.value = null));
  // Another contact has its own wait and its own code.
  watch(kind, () => {
    sentTo.value = null;
    demoCode.value = null;
    codeError.value = null;
    wait.stop();
  });

  const maySend = computed(() => !sending.busy.value && wait.secsLeft.value === 0);

  async function send(): Promise<void> {
    if (!maySend.value) return;
    await sending.run(async () => {
      const requested = kind.value;
      try {
        const reply = await sendConfirmation(requested);
        if (requested !== kind.value) return;
        sentTo.value = reply?.sentTo ?? null;
        demoCode.value = reply?.demoCode ?? null;
        codeError.value = null;
        wait.start(reply?.retryAfterSecs ?? 0);
      } catch (error) {
        if (requested !== kind.value) return;
        codeError.value = errorText(error);
        if (error instanceof ApiError) wait.start(error.retryAfterSecs ?? 0);
      }
    });
  }

  /** The typed code, or null and a message at the field. */
  function typed(): string | null {
    const problem = codeProblem(code.value, codeLength.value);
    codeError.value = problem && t(problem, { length: codeLength.value });
    return problem === null ? code.value.trim() : null;
  }

  function refuse(error: unknown): void {
    codeError.value = errorText(error);
  }

  function fillDemoCode(): void {
    code.value = demoCode.value ?? code.value;
  }

  const form: CodeForm = {
    code,
    codeError,
    sent: computed(() => sentTo.value !== null),
    demoCode,
    sending: sending.busy,
    secsLeft: wait.secsLeft,
    maySend,
    send,
    fillDemoCode,
  };
  return { form, sentTo, typed, refuse };
}
