// The claim button of a flash sale, as a machine with named states. How the sale stands moves it while nobody has
// pressed; from the press on it is moved by replies alone, until one of them settles the claim.
// Invariants: one claim at a time, under one name from the press to its outcome, over lost replies and reloads; a state
// that says "no" was said by the server.
import { computed, onScopeDispose, shallowRef, type Ref } from "vue";
import { ApiError } from "@/shared/api/client";
import { usePause } from "@/shared/composables/usePause";
import { keyFor, pendingKey, settleKey } from "@/shared/requestKeys";
import type { SaleState } from "./api";
import { pauseMs, verdictOf, type Verdict } from "./claim";
import { salePhase } from "./sale";

/** Enough for a rush to pass; then the person decides. */
const BUSY_TRIES_MAX = 8;

export type ClaimState =
  | { name: "waiting" | "open" | "sold_out" | "ended" }
  | { name: "sending" }
  /** The server is overloaded; it is asked again by itself. */
  | { name: "busy" }
  /** The reply was lost or could not tell; the same claim is asked about again. */
  | { name: "in_doubt"; orderId: string | undefined }
  | { name: "won" | "already_bought"; orderId: string }
  /** Refused, or busy for too long; pressing again is a new try. */
  | { name: "failed"; error: unknown };

/** What moves by replies; null while only the sale itself moves the button. */
type Pressed = Exclude<ClaimState, { name: "waiting" | "open" | "sold_out" | "ended" }>;

export interface ClaimParts {
  saleId: number;
  sale: Readonly<Ref<SaleState | undefined>>;
  nowMs: Readonly<Ref<number>>;
  /** Pieces that one person may have. */
  limit: () => number;
  /** Who claims; a name is never carried over to another person. */
  personId: () => number | null;
  /** Asks anew how the sale stands; never rejects. */
  refresh: () => Promise<void>;
  /** A refusal says how the sale stands, too. */
  learn: (news: Pick<SaleState, "state" | "stock">) => void;
  claim: (key: string, token: string | undefined) => Promise<string>;
  onSignedOut: () => void;
}

export function useClaim(parts: ClaimParts) {
  const pressed = shallowRef<Pressed | null>(null);
  let gone = false;
  /** What the claim under way is called; it stays so when more is learned about the person meanwhile. */
  let request = "";
  let tries = 0;
  const pause = usePause(() => void ask());

  const state = computed<ClaimState | null>(() => pressed.value ?? standing(parts.sale.value, parts.nowMs.value, parts.limit()));
  const name = () => `claim.${parts.personId()}.${parts.saleId}`;

  /** A second press, or one when there is nothing to press, does nothing. */
  function press(): void {
    if (state.value?.name !== "open" && state.value?.name !== "failed") return;
    begin({ name: "sending" });
  }

  /** Goes on with a claim whose outcome this tab never learned; the only order there can be is the outcome. */
  function resume(): void {
    if (pressed.value !== null || pendingKey(name()) === null) return;
    if (parts.sale.value?.orderId !== undefined && parts.limit() === 1) return settleKey(name());
    begin({ name: "in_doubt", orderId: undefined });
  }

  function begin(first: Pressed): void {
    request = name();
    tries = 0;
    pressed.value = first;
    void ask();
  }

  async function ask(): Promise<void> {
    try {
      const orderId = await parts.claim(keyFor(request), parts.sale.value?.claimToken);
      settleKey(request);
      pressed.value = { name: "won", orderId };
    } catch (error) {
      await hear(error);
    }
  }

  async function hear(error: unknown): Promise<void> {
    const verdict = verdictOf(error);
    if (gone) return letGo(verdict);
    if (verdict.is === "in_doubt") return again({ name: "in_doubt", orderId: verdict.orderId }, error);
    if (verdict.is === "busy") return wait(error);
    if (verdict.is === "stale_token" && tries < BUSY_TRIES_MAX) {
      await parts.refresh();
      return again(pressed.value ?? { name: "sending" }, error);
    }
    settleKey(request);
    if (verdict.is === "already_bought") pressed.value = { name: "already_bought", orderId: verdict.orderId };
    else if (verdict.is === "refused" || verdict.is === "stale_token") pressed.value = { name: "failed", error };
    else await giveWay(verdict.is);
  }

  /** The button follows the sale again, which is as the refusal says. */
  async function giveWay(reason: "sold_out" | "not_started" | "ended" | "signed_out"): Promise<void> {
    if (reason === "sold_out" || reason === "ended") parts.learn({ state: reason, stock: 0 });
    if (reason === "not_started") await parts.refresh();
    pressed.value = null;
    if (reason === "signed_out") parts.onSignedOut();
  }

  /** Busy says that this try came to nothing, but not what became of one before it that is in doubt. */
  function wait(error: unknown): void {
    if (pressed.value?.name === "in_doubt") again(pressed.value, error);
    else if (tries < BUSY_TRIES_MAX) again({ name: "busy" }, error);
    else pressed.value = { name: "failed", error };
  }

  function again(meanwhile: Pressed, error: unknown): void {
    pressed.value = meanwhile;
    const retryAfterSecs = error instanceof ApiError ? error.retryAfterSecs : undefined;
    pause.begin(pauseMs(tries, retryAfterSecs, Math.random()));
    tries += 1;
  }

  /** Back from where there is no network, nobody waits for the end of a pause. */
  function hurry(): void {
    if (pressed.value?.name === "in_doubt") pause.hurry();
  }

  /** Whoever leaves has let it go, unless it may have been decided: that is asked about on return. */
  function letGo(verdict: Verdict): void {
    const undecided = verdict.is === "busy" && pressed.value?.name === "in_doubt";
    if (verdict.is !== "in_doubt" && !undecided) settleKey(request);
  }

  window.addEventListener("online", hurry);
  onScopeDispose(() => {
    gone = true;
    window.removeEventListener("online", hurry);
    if (pressed.value?.name === "busy" || pressed.value?.name === "failed") letGo({ is: "busy" });
  });

  return { state, press, resume };
}

/** How the button stands by itself: where one is all that one may have, what one has goes before what is to be had. */
function standing(sale: SaleState | undefined, nowMs: number, limit: number): ClaimState | null {
  if (sale === undefined) return null;
  if (sale.orderId !== undefined && limit === 1) return { name: "already_bought", orderId: sale.orderId };
  return { name: sale.state === "ended" ? "ended" : salePhase(sale, nowMs) };
}
