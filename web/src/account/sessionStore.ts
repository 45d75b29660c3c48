// Who is using this browser. The server decides: this store only repeats its last answer.
// `unknown` means it has not been asked yet or did not answer; pages treat that as a failure to load,
// never as signed out.
import { defineStore } from "pinia";
import { computed, ref } from "vue";
import { ApiError } from "@/shared/api/client";
import { recall, remember } from "@/shared/remembered";
import * as account from "./api";

export type SessionState = "unknown" | "in" | "out";

export const useSessionStore = defineStore("session", () => {
  const me = ref<account.Me | null>(null);
  const state = ref<SessionState>("unknown");
  const signedIn = computed(() => state.value === "in");

  function settle(next: account.Me | null): void {
    me.value = next;
    state.value = next === null ? "out" : "in";
    remember("tandian.signedIn", next === null ? null : "yes");
  }

  /** Asks the server. Rejects when it cannot be asked; a 401 is an answer. */
  async function refresh(): Promise<void> {
    try {
      settle((await account.getMe()) ?? null);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      settle(null);
    }
  }

  /** The state, asked for once; stays `unknown` when the server cannot be reached. */
  async function ensure(): Promise<SessionState> {
    if (state.value === "unknown") await refresh().catch(() => undefined);
    return state.value;
  }

  /** On public pages the server is asked only if this browser had a session: visitors cost no request. */
  async function restore(): Promise<void> {
    if (recall("tandian.signedIn") !== null) await ensure();
  }

  async function signIn(contact: account.Contact, code: string): Promise<void> {
    await account.signIn(contact, code);
    await refresh();
  }

  /** Signed out only when the server says so: a session that may still live is not hidden. */
  async function signOut(): Promise<void> {
    try {
      await account.signOut();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
    }
    forget();
  }

  function forget(): void {
    settle(null);
  }

  return { me, state, signedIn, refresh, ensure, restore, signIn, signOut, forget };
});
