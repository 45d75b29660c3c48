// What a buyer does with an order besides paying: cancel it before, or request a refund after.
import { useI18n } from "vue-i18n";
import { useBusy } from "@/shared/composables/useBusy";
import { useErrorText } from "@/shared/composables/useErrorText";
import { confirm } from "@/shared/dialog";
import { sendOnce } from "@/shared/idempotencyKeys";
import { showToast } from "@/shared/toast";
import { cancelOrder, refundOrder } from "./api";

/** `refresh` is called after every action, refused ones too: a refusal says that the order is not as it was shown. */
export function useOrderActions(id: string, refresh: () => Promise<void>) {
  const { t } = useI18n();
  const errorText = useErrorText();
  const { busy, run } = useBusy();

  async function act(name: "cancel" | "refund", send: (id: string, key: string) => Promise<void>, cancelText?: string) {
    const labels = { confirmText: t(`order.${name}Yes`), ...(cancelText && { cancelText }) };
    if (busy.value || !(await confirm(t(`order.${name}Confirm`), labels))) return;
    await run(async () => {
      try {
        await sendOnce(`${name}.${id}`, (key) => send(id, key));
        showToast(t(`order.${name}Done`));
      } catch (error) {
        showToast(errorText(error));
      }
      await refresh();
    });
  }

  return {
    busy,
    // A button "Cancel" beside "Cancel order" would say the same of two opposites.
    cancel: () => act("cancel", cancelOrder, t("order.cancelNo")),
    refund: () => act("refund", refundOrder),
  };
}
