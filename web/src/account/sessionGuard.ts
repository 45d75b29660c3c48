// Redirects to sign-in from pages that need a session, and back.
import type { RouteLocationNormalized } from "vue-router";
import { safeNext } from "./safeNext";
import { useSessionStore } from "./sessionStore";

export function signInFor(fullPath: string) {
  return { name: "sign-in", query: { next: fullPath } };
}

/** Only a clear "signed out" redirects: that the server cannot be reached is for the page to report. */
export async function guardSession(to: RouteLocationNormalized) {
  const session = useSessionStore();
  if (to.meta.requiresSession && (await session.ensure()) === "out") return signInFor(to.fullPath);
  if (to.name === "sign-in" && session.signedIn) return safeNext(to.query["next"]);
  return true;
}
