// Signing in by a code or a password: the values of the form, its state, and the errors of its fields.
// The wait before another code is always the server's, whether it sent one or refused to.
import { computed, ref, watch, type Ref } from "vue";
import { useI18n } from "vue-i18n";
import { ApiError } from "@/shared/api/client";
import { useBusy } from "@/shared/composables/useBusy";
import { useErrorText } from "@/shared/composables/useErrorText";
import type { ContactKind } from "@/shared/site/api";
import { sendCode, type Contact, type Credential } from "./api";
import { useCountdown } from "./useCountdown";
import { codeProblem, contactProblem, normalizeContact, typedPasswordProblem } from "./validation";

/** Refusals about the typed code or password; all others are shown at the contact. */
const CREDENTIAL_REFUSALS = new Set(["code_wrong", "code_expired", "password_wrong"]);

type Way = "code" | "password";

/** What has been typed and sent, without a password: that is typed again. */
export interface SignInDraft {
  kind: ContactKind;
  contact: string;
  way: Way;
  code: string;
  sent: boolean;
  demoCode: string | null;
  /** On the clock of the page, when another code may be asked for. */
  sendAgainAtMs: number;
}

interface Parts {
  codeLength: Readonly<Ref<number>>;
  signIn: (contact: Contact, credential: Credential) => Promise<void>;
  typed?: SignInDraft | undefined;
  /** A refusal that is dealt with is not shown at a field. */
  onRefusal?: (error: ApiError, contact: Contact) => boolean;
}

export function useSignIn({ codeLength, signIn, typed, onRefusal }: Parts) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const kind = ref<ContactKind>(typed?.kind ?? "phone");
  const contact = ref(typed?.contact ?? "");
  const way = ref<Way>(typed?.way ?? "code");
  const code = ref(typed?.code ?? "");
  const password = ref("");
  const contactError = ref<string | null>(null);
  const codeError = ref<string | null>(null);
  const passwordError = ref<string | null>(null);
  const sent = ref(typed?.sent ?? false);
  const demoCode = ref<string | null>(typed?.demoCode ?? null);
  const sending = useBusy();
  const submitting = useBusy();
  const wait = useCountdown();
  /** After too many wrong codes nobody is signed in with this contact for a while. */
  const lock = useCountdown();
  wait.start(Math.max(0, (typed?.sendAgainAtMs ?? 0) - performance.now()) / 1000);

  // Another contact has its own wait and its own code.
  watch([kind, contact], () => {
    contactError.value = null;
    sent.value = false;
    demoCode.value = null;
    wait.stop();
    lock.stop();
  });
  watch(kind, () => (contact.value = ""));
  watch(code, () => (codeError.value = null));
  watch(password, () => (passwordError.value = null));
  watch(way, () => (contactError.value = null));

  const target = computed<Contact>(() => ({
    kind: kind.value,
    value: normalizeContact(kind.value, contact.value),
  }));
  const maySend = computed(() => !sending.busy.value && wait.secsLeft.value === 0);

  function contactIsValid(): boolean {
    const problem = contactProblem(kind.value, contact.value);
    contactError.value = problem && t(problem);
    return problem === null;
  }

  function codeIsValid(): boolean {
    const problem = codeProblem(code.value, codeLength.value);
    codeError.value = problem && t(problem, { length: codeLength.value });
    return problem === null;
  }

  function passwordIsValid(): boolean {
    const problem = typedPasswordProblem(password.value);
    passwordError.value = problem && t(problem);
    return problem === null;
  }

  async function send(): Promise<void> {
    if (!maySend.value || !contactIsValid()) return;
    await sending.run(async () => {
      const requested = target.value;
      // A reply for a contact that is no longer in the form is dropped.
      const stale = () => requested.value !== target.value.value;
      try {
        const reply = await sendCode(requested);
        if (stale()) return;
        sent.value = true;
        demoCode.value = reply?.demoCode ?? null;
        wait.start(reply?.retryAfterSecs ?? 0);
      } catch (error) {
        if (stale()) return;
        contactError.value = errorText(error);
        if (error instanceof ApiError) wait.start(error.retryAfterSecs ?? 0);
      }
    });
  }

  /** Resolves to whether the user is signed in now. */
  async function submit(): Promise<boolean> {
    const byCode = way.value === "code";
    if (lock.secsLeft.value > 0) return false;
    const valid = [contactIsValid(), byCode ? codeIsValid() : passwordIsValid()].every(Boolean);
    if (!valid) return false;
    const credential = byCode ? { code: code.value.trim() } : { password: password.value };
    let done = false;
    await submitting.run(async () => {
      try {
        await signIn(target.value, credential);
        done = true;
      } catch (error) {
        if (error instanceof ApiError && onRefusal?.(error, target.value)) return;
        if (error instanceof ApiError) lock.start(error.retryAfterSecs ?? 0);
        const aboutCredential = error instanceof ApiError && CREDENTIAL_REFUSALS.has(error.code);
        const credentialError = byCode ? codeError : passwordError;
        (aboutCredential ? credentialError : contactError).value = errorText(error);
      }
    });
    return done;
  }

  function draft(): SignInDraft {
    return {
      kind: kind.value,
      contact: contact.value,
      way: way.value,
      code: code.value,
      sent: sent.value,
      demoCode: demoCode.value,
      sendAgainAtMs: performance.now() + wait.secsLeft.value * 1000,
    };
  }

  function fillDemoCode(): void {
    code.value = demoCode.value ?? code.value;
  }

  return {
    kind,
    contact,
    way,
    code,
    password,
    contactError,
    codeError,
    passwordError,
    sent,
    demoCode,
    sending: sending.busy,
    submitting: submitting.busy,
    secsLeft: wait.secsLeft,
    lockedSecs: lock.secsLeft,
    maySend,
    send,
    submit,
    fillDemoCode,
    draft,
  };
}

export type SignInForm = ReturnType<typeof useSignIn>;

/** The part of a form that is about its code. */
export interface CodeForm extends Pick<SignInForm, "code" | "codeError" | "demoCode" | "secsLeft" | "maySend" | "send" | "fillDemoCode"> {
  sent: Readonly<Ref<boolean>>;
  sending: Readonly<Ref<boolean>>;
}
