// Redirects to sign-in from pages that need a session, and back.
import type { RouteLocationNormalized } from "vue-router";
import { PATIENCE_MS } from "@/shared/patience";
import { safeNext } from "./safeNext";
import { useSessionStore } from "./sessionStore";

export function signInFor(fullPath: string) {
  return { name: "sign-in", query: { next: fullPath } };
}

/** Only a clear "signed out" redirects: that the server cannot be reached is for the page to report. */
export async function guardSession(to: RouteLocationNormalized) {
  const session = useSessionStore();
  const patience = to.meta.worksOffline ? after(PATIENCE_MS) : never;
  if (to.meta.requiresSession && (await Promise.race([session.ensure(), patience])) === "out") return signInFor(to.fullPath);
  if (to.name === "sign-in" && session.signedIn) return safeNext(to.query["next"]);
  return true;
}

/** A later "signed out" is a 401, which redirects as any other does. */
function after(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}

const never = new Promise<void>(() => undefined);
