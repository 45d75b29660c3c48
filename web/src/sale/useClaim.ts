// The claim button of a flash sale as a state machine. Until the button is pressed its state follows the sale; from then on
// replies alone change it, until one of them settles the claim.
// Invariants: one claim at a time, under one idempotency key from the press to its outcome, over lost replies and reloads; a
// state that says "no" was a reply of the server.
import { computed, onScopeDispose, shallowRef, type Ref } from "vue";
import { ApiError } from "@/shared/api/client";
import { useRetryTimer } from "@/shared/composables/useRetryTimer";
import { keyFor, pendingKey, releaseKey } from "@/shared/idempotencyKeys";
import type { SaleState } from "./api";
import { backoffMs, outcomeOf, type ClaimOutcome } from "./claimOutcome";
import { salePhase } from "./salePhase";

/** Enough for a rush to pass; then the user decides. */
const BUSY_TRIES_MAX = 8;

export type ClaimState =
  | { name: "waiting" | "open" | "sold_out" | "ended" }
  | { name: "sending" }
  /** The server is overloaded; the claim is retried. */
  | { name: "busy" }
  /** The reply was lost or does not say; the same claim is retried. */
  | { name: "in_doubt"; orderId: string | undefined }
  | { name: "won" | "already_bought"; orderId: string }
  /** Refused, or busy for too long; the next press is a new claim. */
  | { name: "failed"; error: unknown };

/** The states that replies change; null while the button follows the sale. */
type Pressed = Exclude<ClaimState, { name: "waiting" | "open" | "sold_out" | "ended" }>;

interface ClaimParts {
  saleId: number;
  sale: Readonly<Ref<SaleState | undefined>>;
  nowMs: Readonly<Ref<number>>;
  /** Units that one user may have. */
  limit: () => number;
  /** The buyer; a key is never carried over to another one. */
  personId: () => number | null;
  /** Loads the state of the sale; never rejects. */
  refresh: () => Promise<void>;
  /** A refusal gives the state of the sale, too. */
  applyUpdate: (update: Pick<SaleState, "state" | "stock">) => void;
  claim: (key: string, token: string | undefined) => Promise<string>;
  onSignedOut: () => void;
}

export function useClaim(parts: ClaimParts) {
  const pressed = shallowRef<Pressed | null>(null);
  let disposed = false;
  /** The claim in progress; its name stays when the session becomes known meanwhile. */
  let request = "";
  let tries = 0;
  const retryTimer = useRetryTimer(() => void send());

  const state = computed<ClaimState | null>(() => pressed.value ?? idleState(parts.sale.value, parts.nowMs.value, parts.limit()));
  const requestName = () => `claim.${parts.personId()}.${parts.saleId}`;

  /** A second press, or one in a state without a button, does nothing. */
  function press(): void {
    if (state.value?.name !== "open" && state.value?.name !== "failed") return;
    start({ name: "sending" });
  }

  /** Retries a claim whose outcome this tab does not know; the only order there can be is the outcome. */
  function resume(): void {
    if (pressed.value !== null || pendingKey(requestName()) === null) return;
    if (parts.sale.value?.orderId !== undefined && parts.limit() === 1) return releaseKey(requestName());
    start({ name: "in_doubt", orderId: undefined });
  }

  function start(first: Pressed): void {
    request = requestName();
    tries = 0;
    pressed.value = first;
    void send();
  }

  async function send(): Promise<void> {
    try {
      const orderId = await parts.claim(keyFor(request), parts.sale.value?.claimToken);
      releaseKey(request);
      pressed.value = { name: "won", orderId };
    } catch (error) {
      await onFailure(error);
    }
  }

  async function onFailure(error: unknown): Promise<void> {
    const outcome = outcomeOf(error);
    if (disposed) return releaseUnlessInDoubt(outcome);
    if (outcome.is === "in_doubt") return retryLater({ name: "in_doubt", orderId: outcome.orderId }, error);
    if (outcome.is === "busy") return retryBusy(error);
    if (outcome.is === "stale_token" && tries < BUSY_TRIES_MAX) {
      await parts.refresh();
      return retryLater(pressed.value ?? { name: "sending" }, error);
    }
    releaseKey(request);
    if (outcome.is === "already_bought") pressed.value = { name: "already_bought", orderId: outcome.orderId };
    else if (outcome.is === "refused" || outcome.is === "stale_token") pressed.value = { name: "failed", error };
    else await followSale(outcome.is);
  }

  /** The button follows the sale again, whose state the refusal has given. */
  async function followSale(refusal: "sold_out" | "not_started" | "ended" | "signed_out"): Promise<void> {
    if (refusal === "sold_out" || refusal === "ended") parts.applyUpdate({ state: refusal, stock: 0 });
    if (refusal === "not_started") await parts.refresh();
    pressed.value = null;
    if (refusal === "signed_out") parts.onSignedOut();
  }

  /** Busy says that this try decided nothing; one before it may still be in doubt. */
  function retryBusy(error: unknown): void {
    if (pressed.value?.name === "in_doubt") retryLater(pressed.value, error);
    else if (tries < BUSY_TRIES_MAX) retryLater({ name: "busy" }, error);
    else pressed.value = { name: "failed", error };
  }

  function retryLater(meanwhile: Pressed, error: unknown): void {
    pressed.value = meanwhile;
    const retryAfterSecs = error instanceof ApiError ? error.retryAfterSecs : undefined;
    retryTimer.start(backoffMs(tries, retryAfterSecs, Math.random()));
    tries += 1;
  }

  /** When the network is back the delay is cut short. */
  function onOnline(): void {
    if (pressed.value?.name === "in_doubt") retryTimer.runNow();
  }

  /** After the page is left only a claim in doubt keeps its key: it is resumed on return. */
  function releaseUnlessInDoubt(outcome: ClaimOutcome): void {
    const wasInDoubt = outcome.is === "busy" && pressed.value?.name === "in_doubt";
    if (outcome.is !== "in_doubt" && !wasInDoubt) releaseKey(request);
  }

  window.addEventListener("online", onOnline);
  onScopeDispose(() => {
    disposed = true;
    window.removeEventListener("online", onOnline);
    if (pressed.value?.name === "busy" || pressed.value?.name === "failed") releaseUnlessInDoubt({ is: "busy" });
  });

  return { state, press, resume };
}

/** The state before a press. Where the limit is one, the order that the user has goes before the state of the sale. */
function idleState(sale: SaleState | undefined, nowMs: number, limit: number): ClaimState | null {
  if (sale === undefined) return null;
  if (sale.orderId !== undefined && limit === 1) return { name: "already_bought", orderId: sale.orderId };
  return { name: sale.state === "ended" ? "ended" : salePhase(sale, nowMs) };
}
