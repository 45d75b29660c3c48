// Paying for an order: once, by whichever way, and whatever becomes of the reply.
import { ref } from "vue";
import { useBusy } from "@/shared/composables/useBusy";
import { isInDoubt, once } from "@/shared/requestKeys";
import { ORDER_STATUS, pay, type PayType } from "./api";

/** `elsewhere` is the address of a cashier's page. */
export type Paid = { is: "paid" } | { is: "elsewhere"; address: string };

export function usePayment(id: string) {
  const { busy, run } = useBusy();
  const error = ref<unknown>(null);
  /** No answer came: the money may have moved, and trying again is safe. */
  const inDoubt = ref(false);

  /** Undefined when it did not come to a payment, or nobody knows. */
  async function submit(payType: PayType): Promise<Paid | undefined> {
    let paid: Paid | undefined;
    await run(async () => {
      error.value = null;
      try {
        const payment = await once(`pay.${id}.${payType}`, (key) => pay(id, payType, key));
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
  return redirect !== undefined && /^https?:\/\//.test(redirect) ? { is: "elsewhere", address: redirect } : undefined;
}
