// Buying an ordinary voucher: once per press, whatever becomes of the reply, and on to the payment.
import { ref } from "vue";
import { useRouter } from "vue-router";
import { useSessionStore } from "@/account/sessionStore";
import { useSignInFirst } from "@/account/useSignInFirst";
import { purchase } from "@/orders/api";
import { useErrorText } from "@/shared/composables/useErrorText";
import { once } from "@/shared/requestKeys";
import { showToast } from "@/shared/toast";
import type { Voucher } from "./api";

export function usePurchase() {
  const router = useRouter();
  const session = useSessionStore();
  const signedIn = useSignInFirst();
  const errorText = useErrorText();
  /** The voucher that is being bought: one at a time. */
  const buying = ref<number | null>(null);

  async function buy(voucher: Voucher): Promise<void> {
    if (buying.value !== null) return;
    buying.value = voucher.id;
    try {
      if (!(await signedIn())) return;
      const order = await once(`buy.${session.me?.id}.${voucher.id}`, (key) => purchase(voucher.id, key));
      await router.push({ name: "pay", params: { id: order } });
    } catch (error) {
      showToast(errorText(error));
    } finally {
      buying.value = null;
    }
  }

  return { buying, buy };
}
