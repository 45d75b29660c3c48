// What the reply to a claim means. Pure: the table from every failure to what the page does about it.
// Invariant: only a reply that says so ends a claim without an order. Silence, and whatever cannot tell, leaves the
// claim in doubt, and it is asked about again under the same name.
import { ApiError } from "@/shared/api/client";
import { isInDoubt } from "@/shared/requestKeys";

export type Verdict =
  | { is: "already_bought"; orderId: string }
  /** A refusal that says how the sale stands. */
  | { is: "sold_out" }
  | { is: "not_started" }
  | { is: "ended" }
  /** What the page had to show was too old: ask for it and claim again. */
  | { is: "stale_token" }
  | { is: "signed_out" }
  /** Nothing was decided, and it is worth trying again. */
  | { is: "busy" }
  /** It may have been decided. */
  | { is: "in_doubt"; orderId: string | undefined }
  /** Anything else that the server says no to. */
  | { is: "refused" };

export function verdictOf(error: unknown): Verdict {
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

const FIRST_PAUSE_MS = 500;
/** A claim in doubt is asked about for as long as the page is open, so not too often. */
const LONGEST_PAUSE_MS = 5_000;

/** Doubles from try to try; the server's own wish goes before. Half of it is chance, so that pages do not come back in step. */
export function pauseMs(tries: number, retryAfterSecs: number | undefined, chance: number): number {
  const grown = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
  return Math.max((retryAfterSecs ?? 0) * 1000, grown / 2) + (grown / 2) * chance;
}
