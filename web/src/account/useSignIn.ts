// Signing in by a code: what the form holds, what it may do next, and what went wrong where.
// The wait before another code is always the server's number, whether it sent one or refused to.
import { computed, ref, watch, type Ref } from "vue";
import { useI18n } from "vue-i18n";
import { ApiError } from "@/shared/api/client";
import { useBusy } from "@/shared/composables/useBusy";
import { useErrorText } from "@/shared/composables/useErrorText";
import type { ContactKind } from "@/shared/site/api";
import { sendCode, type Contact } from "./api";
import { useCountdown } from "./useCountdown";
import { codeProblem, contactProblem, normalizeContact } from "./validation";

/** Refusals that are about the code a person typed; every other one is about the contact or the site. */
const CODE_REFUSALS = new Set(["code_wrong", "code_expired"]);

interface Parts {
  codeLength: Readonly<Ref<number>>;
  signIn: (contact: Contact, code: string) => Promise<void>;
}

export function useSignIn({ codeLength, signIn }: Parts) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const kind = ref<ContactKind>("phone");
  const contact = ref("");
  const code = ref("");
  const contactError = ref<string | null>(null);
  const codeError = ref<string | null>(null);
  const sent = ref(false);
  const demoCode = ref<string | null>(null);
  const sending = useBusy();
  const submitting = useBusy();
  const wait = useCountdown();

  // Another number has its own wait and its own code.
  watch([kind, contact], () => {
    contactError.value = null;
    sent.value = false;
    demoCode.value = null;
    wait.stop();
  });
  watch(kind, () => (contact.value = ""));
  watch(code, () => (codeError.value = null));

  const target = computed<Contact>(() => ({
    kind: kind.value,
    value: normalizeContact(kind.value, contact.value),
  }));
  const maySend = computed(() => !sending.busy.value && wait.secsLeft.value === 0);

  function contactIsFine(): boolean {
    const problem = contactProblem(kind.value, contact.value);
    contactError.value = problem && t(problem);
    return problem === null;
  }

  function codeIsFine(): boolean {
    const problem = codeProblem(code.value, codeLength.value);
    codeError.value = problem && t(problem, { length: codeLength.value });
    return problem === null;
  }

  async function send(): Promise<void> {
    if (!maySend.value || !contactIsFine()) return;
    await sending.run(async () => {
      const asked = target.value;
      // An answer for a number that is no longer in the form says nothing about the one that is.
      const stale = () => asked.value !== target.value.value;
      try {
        const answer = await sendCode(asked);
        if (stale()) return;
        sent.value = true;
        demoCode.value = answer?.demoCode ?? null;
        wait.start(answer?.retryAfterSecs ?? 0);
      } catch (error) {
        if (stale()) return;
        contactError.value = errorText(error);
        if (error instanceof ApiError) wait.start(error.retryAfterSecs ?? 0);
      }
    });
  }

  /** Resolves to whether the person is signed in now. */
  async function submit(): Promise<boolean> {
    const fine = [contactIsFine(), codeIsFine()].every(Boolean);
    if (!fine) return false;
    let done = false;
    await submitting.run(async () => {
      try {
        await signIn(target.value, code.value.trim());
        done = true;
      } catch (error) {
        const aboutCode = error instanceof ApiError && CODE_REFUSALS.has(error.code);
        (aboutCode ? codeError : contactError).value = errorText(error);
      }
    });
    return done;
  }

  function fillDemoCode(): void {
    code.value = demoCode.value ?? code.value;
  }

  return {
    kind,
    contact,
    code,
    contactError,
    codeError,
    sent,
    demoCode,
    sending: sending.busy,
    submitting: submitting.busy,
    secsLeft: wait.secsLeft,
    maySend,
    send,
    submit,
    fillDemoCode,
  };
}
