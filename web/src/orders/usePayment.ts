// Paying for an order: charged once, by any method, even if replies are lost.
import { ref } from "vue";
import { useBusy } from "@/shared/composables/useBusy";
import { isInDoubt, sendOnce } from "@/shared/idempotencyKeys";
import { ORDER_STATUS, pay, type PayType } from "./api";

/** `elsewhere` has the URL of a cashier's page. */
export type Paid = { is: "paid" } | { is: "elsewhere"; url: string };

export function usePayment(id: string) {
  const { busy, run } = useBusy();
  const error = ref<unknown>(null);
  /** No reply: the order may be paid, and a retry is safe. */
  const inDoubt = ref(false);

  /** Undefined when it was refused or is in doubt. */
  async function submit(payType: PayType): Promise<Paid | undefined> {
    let paid: Paid | undefined;
    await run(async () => {
      error.value = null;
      try {
        const payment = await sendOnce(`pay.${id}.${payType}`, (key) => pay(id, payType, key));
        inDoubt.value = false;
        paid = read(payment);
      } catch (failure) {
        error.value = failure;
        inDoubt.value = isInDoubt(failure);
      }
    });
    return paid;
  }

  return { busy, error, inDoubt, submit };
}

function read(payment: { status: number; redirect?: string | undefined }): Paid | undefined {
  if (payment.status === ORDER_STATUS.paid) return { is: "paid" };
  const { redirect } = payment;
  return redirect !== undefined && /^https?:\/\//.test(redirect) ? { is: "elsewhere", url: redirect } : undefined;
}
