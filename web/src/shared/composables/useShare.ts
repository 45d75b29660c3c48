// Sharing the URL of a page: by the phone's own share sheet where there is one, else by the clipboard.
// Where the browser allows neither, a dialog shows the URL; "copied" is shown only if it was.
import { useI18n } from "vue-i18n";
import { showDialog } from "@/shared/dialog";
import { showToast } from "@/shared/toast";

interface Shared {
  /** What the page is about; becomes the subject of a message. */
  title: string;
  text?: string;
  /** A path of this site; by default the current page. */
  path?: string;
}

type ShareOutcome = "shared" | "copied" | "shown" | "dismissed";

export function useShare() {
  const { t } = useI18n();

  return async function share({ title, text, path }: Shared): Promise<ShareOutcome> {
    const url = new URL(path ?? window.location.pathname, window.location.origin).href;
    const data: ShareData = text === undefined ? { title, url } : { title, text, url };
    if (canShare(data)) {
      const outcome = await shareBySheet(data);
      if (outcome !== undefined) return outcome;
    }
    if (await copied(url)) {
      showToast(t("site.linkCopied"));
      return "copied";
    }
    await showDialog({ title: t("site.linkToCopy"), message: url });
    return "shown";
  };
}

function canShare(data: ShareData): boolean {
  return typeof navigator.share === "function" && (navigator.canShare?.(data) ?? true);
}

/** Undefined when the sheet could not be opened at all. */
async function shareBySheet(data: ShareData): Promise<ShareOutcome | undefined> {
  try {
    await navigator.share(data);
    return "shared";
  } catch (cause) {
    return cause instanceof DOMException && cause.name === "AbortError" ? "dismissed" : undefined;
  }
}

/** Browsers offer the clipboard on secure sites only, and may still refuse it. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
