// What an owner does with an order besides paying: give it up before, or ask for the money back after.
import { useI18n } from "vue-i18n";
import { useBusy } from "@/shared/composables/useBusy";
import { useErrorText } from "@/shared/composables/useErrorText";
import { confirm } from "@/shared/dialog";
import { once } from "@/shared/requestKeys";
import { showToast } from "@/shared/toast";
import { cancelOrder, refundOrder } from "./api";

/** `refresh` is called after every step, refused ones too: a refusal says that the order is not as it was shown. */
export function useOrderSteps(id: string, refresh: () => Promise<void>) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const { busy, run } = useBusy();

  async function step(question: string, done: string, name: string, work: (id: string, key: string) => Promise<void>) {
    if (busy.value || !(await confirm(question))) return;
    await run(async () => {
      try {
        await once(`${name}.${id}`, (key) => work(id, key));
        showToast(done);
      } catch (error) {
        showToast(errorText(error));
      }
      await refresh();
    });
  }

  return {
    busy,
    cancel: () => step(t("order.cancelConfirm"), t("order.cancelDone"), "cancel", cancelOrder),
    refund: () => step(t("order.refundConfirm"), t("order.refundDone"), "refund", refundOrder),
  };
}
