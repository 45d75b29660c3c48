// The site's own description, loaded once and shared by every page.
import { defineStore } from "pinia";
import { computed, ref } from "vue";
import { getSite, type ContactKind, type Site } from "./api";

/** What most sites use; good enough to draw the sign-in form until the reply is there. */
const ASSUMED_CODE_LENGTH = 6;
/** China's, where most sites are; only until the reply is there. */
const ASSUMED_UTC_OFFSET_SECS = 8 * 3600;
/** In the order in which they are offered. */
const CONTACT_KINDS: readonly ContactKind[] = ["phone", "email"];

export const useSiteStore = defineStore("site", () => {
  const site = ref<Site | null>(null);
  const codeLength = computed(() => site.value?.codeLength ?? ASSUMED_CODE_LENGTH);
  const codeLetters = computed(() => site.value?.codeLetters ?? false);
  const passwords = computed(() => site.value?.passwords ?? false);
  const contacts = computed(() => CONTACT_KINDS.filter((kind) => site.value?.contacts.includes(kind) ?? kind === "phone"));
  const utcOffsetSecs = computed(() => site.value?.utcOffsetSecs ?? ASSUMED_UTC_OFFSET_SECS);
  const demoAccounts = computed(() => site.value?.demoAccounts ?? []);
  let loading: Promise<void> | null = null;

  /** Never rejects: every page works without it, and the next call tries again. */
  function load(): Promise<void> {
    if (site.value !== null) return Promise.resolve();
    loading ??= getSite()
      .then((reply) => void (site.value = reply ?? null))
      .catch(() => undefined)
      .finally(() => void (loading = null));
    return loading;
  }

  return { site, codeLength, codeLetters, passwords, contacts, utcOffsetSecs, demoAccounts, load };
});
