// Who is signed in. The server decides: this store holds its last reply.
// `unknown` means that there was no request yet, or no reply; pages treat that as a failure to load, never as signed out.
import { defineStore } from "pinia";
import { computed, ref } from "vue";
import { ApiError } from "@/shared/api/client";
import { readSetting, writeSetting } from "@/shared/localSettings";
import * as account from "./api";

type SessionState = "unknown" | "in" | "out";

export const useSessionStore = defineStore("session", () => {
  const me = ref<account.Me | null>(null);
  const state = ref<SessionState>("unknown");
  const signedIn = computed(() => state.value === "in");

  function settle(next: account.Me | null): void {
    me.value = next;
    state.value = next === null ? "out" : "in";
    writeSetting("tandian.signedIn", next === null ? null : "yes");
  }

  /** Loads the session. Rejects when there is no reply; a 401 is one. */
  async function refresh(): Promise<void> {
    try {
      settle((await account.getMe()) ?? null);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      settle(null);
    }
  }

  /** The state, loaded at most once; stays `unknown` when the server cannot be reached. */
  async function ensure(): Promise<SessionState> {
    if (state.value === "unknown") await refresh().catch(() => undefined);
    return state.value;
  }

  /** On public pages the session is loaded only if this browser had one: visitors cost no request. */
  async function restore(): Promise<void> {
    if (readSetting("tandian.signedIn") !== null) await ensure();
  }

  async function signIn(contact: account.Contact, credential: account.Credential, ticket?: string): Promise<void> {
    await account.signIn(contact, credential, ticket);
    await refresh();
  }

  async function answerNumberQuestion(contact: account.Contact, claim: account.NumberClaim, ticket: string): Promise<void> {
    await account.answerNumberQuestion(contact, claim, ticket);
    await refresh();
  }

  /** Signed out only when the server confirms it: a session that may still be valid is not hidden. */
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

  return { me, state, signedIn, refresh, ensure, restore, signIn, answerNumberQuestion, signOut, forget };
});
