// Buying an ordinary voucher: one order per press, even if replies are lost, and on to the payment.
import { ref } from "vue";
import { useRouter } from "vue-router";
import { useSessionStore } from "@/account/sessionStore";
import { useRequireSignIn } from "@/account/useRequireSignIn";
import { purchase } from "@/orders/api";
import { useErrorText } from "@/shared/composables/useErrorText";
import { sendOnce } from "@/shared/idempotencyKeys";
import { showToast } from "@/shared/toast";
import type { Voucher } from "./api";

export function usePurchase() {
  const router = useRouter();
  const session = useSessionStore();
  const requireSignIn = useRequireSignIn();
  const errorText = useErrorText();
  /** The voucher that is being bought: one at a time. */
  const buying = ref<number | null>(null);

  async function buy(voucher: Voucher): Promise<void> {
    if (buying.value !== null) return;
    buying.value = voucher.id;
    try {
      if (!(await requireSignIn())) return;
      const order = await sendOnce(`buy.${session.me?.id}.${voucher.id}`, (key) => purchase(voucher.id, key));
      await router.push({ name: "pay", params: { id: order } });
    } catch (error) {
      showToast(errorText(error));
    } finally {
      buying.value = null;
    }
  }

  return { buying, buy };
}
