import { expect, test } from "vitest";
import { ApiError } from "@/shared/api/client";
import { backoffMs, outcomeOf } from "./claimOutcome";

test.each([
  ["sold_out", 200, undefined, { is: "sold_out" }],
  ["not_started", 200, undefined, { is: "not_started" }],
  ["ended", 200, undefined, { is: "ended" }],
  ["already_bought", 200, "77", { is: "already_bought", orderId: "77" }],
  ["already_bought", 200, undefined, { is: "refused" }],
  ["claim_token_invalid", 200, undefined, { is: "stale_token" }],
  ["voucher_not_found", 200, undefined, { is: "refused" }],
  ["forbidden", 403, undefined, { is: "refused" }],
  ["idempotency_mismatch", 409, undefined, { is: "refused" }],
  ["not_signed_in", 401, undefined, { is: "signed_out" }],
  ["busy", 503, undefined, { is: "busy" }],
  ["too_many", 429, undefined, { is: "busy" }],
  ["processing", 503, "77", { is: "in_doubt", orderId: "77" }],
  ["unavailable", 503, undefined, { is: "in_doubt", orderId: undefined }],
  ["internal", 500, undefined, { is: "in_doubt", orderId: undefined }],
  ["bad_reply", 502, undefined, { is: "in_doubt", orderId: undefined }],
  ["network", 0, undefined, { is: "in_doubt", orderId: undefined }],
  ["timeout", 0, undefined, { is: "in_doubt", orderId: undefined }],
])("%s with status %d about %s means %j", (code, status, data, verdict) => {
  expect(outcomeOf(new ApiError(code, "", status, undefined, data))).toEqual(verdict);
});

test("whatever is no answer of the server leaves a claim in doubt", () => {
  expect(outcomeOf(new TypeError("odd"))).toEqual({ is: "in_doubt", orderId: undefined });
});

test("pauses grow, have an end, and are never all the same", () => {
  const pauses = [0, 1, 2, 3, 4, 50].map((tries) => backoffMs(tries, undefined, 1));
  expect(pauses).toEqual([500, 1000, 2000, 4000, 5000, 5000]);
  expect(backoffMs(2, undefined, 0)).toBe(1000);
});

test("a delay is never shorter than Retry-After", () => {
  expect(backoffMs(0, 3, 0)).toBe(3000);
  expect(backoffMs(0, 3, 1)).toBe(3250);
});
