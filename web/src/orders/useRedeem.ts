// Taking vouchers at the counter: the buyer's digits in, what they are worth out.
import { ref, shallowRef } from "vue";
import { useBusy } from "@/shared/composables/useBusy";
import { isInDoubt } from "@/shared/requestKeys";
import { redeem, type Used } from "./api";

/** As many as the server makes, without the spaces. */
export const CODE_DIGITS = 16;

/** What a scanner or a hurried hand types, as groups of four digits. */
export function groupDigits(typed: string): string {
  const digits = typed.replace(/\D/g, "").slice(0, CODE_DIGITS);
  return digits.replace(/(\d{4})(?=\d)/g, "$1 ");
}

export function useRedeem() {
  const { busy, run } = useBusy();
  const error = shallowRef<unknown>(null);
  /** No answer came: the voucher may have been taken. */
  const inDoubt = ref(false);
  /** Those that were taken on this page, the newest first. */
  const taken = shallowRef<readonly Used[]>([]);

  /** Whether the voucher was taken. */
  async function submit(code: string): Promise<boolean> {
    let done = false;
    await run(async () => {
      error.value = null;
      inDoubt.value = false;
      try {
        const used = await redeem(code);
        if (used !== undefined) taken.value = [used, ...taken.value];
        done = true;
      } catch (failure) {
        error.value = failure;
        inDoubt.value = isInDoubt(failure);
      }
    });
    return done;
  }

  return { busy, error, inDoubt, taken, submit };
}
