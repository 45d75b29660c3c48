// What the reply to a claim means. Pure: the table from every failure to what the page does about it.
// Invariant: only a reply that says so ends a claim without an order. A missing reply, and one that does not say, leaves
// the claim in doubt, and it is sent again under the same key.
import { ApiError } from "@/shared/api/client";
import { isInDoubt } from "@/shared/idempotencyKeys";

export type ClaimOutcome =
  | { is: "already_bought"; orderId: string }
  /** A refusal that gives the state of the sale. */
  | { is: "sold_out" }
  | { is: "not_started" }
  | { is: "ended" }
  /** The page's claim token has expired: fetch another and claim again. */
  | { is: "stale_token" }
  | { is: "signed_out" }
  /** Nothing was decided, and a retry is sensible. */
  | { is: "busy" }
  /** It may have been decided. */
  | { is: "in_doubt"; orderId: string | undefined }
  /** Any other refusal. */
  | { is: "refused" };

export function outcomeOf(error: unknown): ClaimOutcome {
  if (!(error instanceof ApiError)) return { is: "in_doubt", orderId: undefined };
  const orderId = typeof error.data === "string" && error.data !== "" ? error.data : undefined;
  switch (error.code) {
    case "already_bought":
      return orderId === undefined ? { is: "refused" } : { is: "already_bought", orderId };
    case "sold_out":
    case "not_started":
    case "ended":
      return { is: error.code };
    case "claim_token_invalid":
      return { is: "stale_token" };
    case "busy":
    case "too_many":
      return { is: "busy" };
    default:
      if (error.status === 401) return { is: "signed_out" };
      return isInDoubt(error) ? { is: "in_doubt", orderId } : { is: "refused" };
  }
}

const FIRST_DELAY_MS = 500;
/** A claim in doubt is retried for as long as the page is open, so not too often. */
const LONGEST_DELAY_MS = 5_000;

/** Exponential, at least `Retry-After`. Half of it is random, so that pages do not retry in step. */
export function backoffMs(tries: number, retryAfterSecs: number | undefined, random: number): number {
  const grown = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** tries);
  return Math.max((retryAfterSecs ?? 0) * 1000, grown / 2) + (grown / 2) * random;
}
