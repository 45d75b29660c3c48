// Which pages need a session, and the way to sign-in and back.
import type { RouteLocationNormalized } from "vue-router";
import { safeNext } from "./next";
import { useSessionStore } from "./sessionStore";

export function signInFor(fullPath: string) {
  return { name: "sign-in", query: { next: fullPath } };
}

/** Only a clear "signed out" sends people away: a server that cannot be asked is the page's to report. */
export async function guardSession(to: RouteLocationNormalized) {
  const session = useSessionStore();
  if (to.meta.requiresSession && (await session.ensure()) === "out") return signInFor(to.fullPath);
  if (to.name === "sign-in" && session.signedIn) return safeNext(to.query["next"]);
  return true;
}
