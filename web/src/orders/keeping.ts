// Ties the kept orders to the session: they are of whoever is signed in, and go with them. A shared phone is why: signing
// out, a session that the server has ended and another account each leave nothing of the one before.
import { watch } from "vue";
import type { useSessionStore } from "@/account/sessionStore";
import { readSetting } from "@/shared/localSettings";
import { openKept, wipeKept } from "./keptOrders";

/** Called once at start. While the server cannot be reached, the browser's last user is believed to be there still. */
export function startKeeping(session: ReturnType<typeof useSessionStore>): void {
  if (readSetting("tandian.signedIn") === null) wipeKept();

  // At once: a page may be closed in the next moment.
  watch(() => session.me?.id ?? session.state, follow, { flush: "sync", immediate: true });

  // Wiped by the wish to leave, even if the server cannot be told.
  session.$onAction(({ name, onError }) => {
    if (name !== "signOut") return;
    wipeKept();
    onError(() => follow(session.me?.id ?? session.state));
  });
}

function follow(user: number | string): void {
  if (typeof user === "number") openKept(user);
  else if (user === "out") wipeKept();
}
