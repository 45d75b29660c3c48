// Redeeming vouchers at the counter: the buyer's digits in, the redeemed orders out.
import { ref, shallowRef } from "vue";
import { useBusy } from "@/shared/composables/useBusy";
import { isInDoubt } from "@/shared/idempotencyKeys";
import { redeem, type Redeemed } from "./api";

/** As many as the server makes, without the spaces. */
export const CODE_DIGITS = 16;

/** Whatever a scanner or a person types, as groups of four digits. */
export function groupDigits(typed: string): string {
  const digits = typed.replace(/\D/g, "").slice(0, CODE_DIGITS);
  return digits.replace(/(\d{4})(?=\d)/g, "$1 ");
}

export function useRedeem() {
  const { busy, run } = useBusy();
  const error = shallowRef<unknown>(null);
  /** No reply: the voucher may be redeemed. */
  const inDoubt = ref(false);
  /** Those redeemed on this page, the newest first. */
  const redeemed = shallowRef<readonly Redeemed[]>([]);

  /** Whether the voucher was redeemed. */
  async function submit(code: string): Promise<boolean> {
    let done = false;
    await run(async () => {
      error.value = null;
      inDoubt.value = false;
      try {
        const used = await redeem(code);
        if (used !== undefined) redeemed.value = [used, ...redeemed.value];
        done = true;
      } catch (failure) {
        error.value = failure;
        inDoubt.value = isInDoubt(failure);
      }
    });
    return done;
  }

  return { busy, error, inDoubt, redeemed, submit };
}
