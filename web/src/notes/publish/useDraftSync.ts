// Keeps the draft on the page the same on all devices of its author. A change is saved a moment after the last key; what the
// server lacks stays in this browser and is sent once it can be reached. Invariant: no device overwrites what another one
// saved since this one read it, unless its user says so.
import { computed, onScopeDispose, ref, shallowRef, watch, type ComputedRef, type Ref } from "vue";
import { deleteStoredDraft, listDrafts, storeDraft, type DraftRead } from "@/notes/api";
import { ApiError } from "@/shared/api/client";
import { isInDoubt, newKey } from "@/shared/idempotencyKeys";
import { serverNowMs } from "@/shared/serverClock";
import { contentOf, isEmpty, writtenIn, type Draft, type Written } from "./draft";

/** A pause in typing. */
const QUIET_MS = 2_000;
/** Until an unreachable server is tried again without anybody typing. */
const RETRY_MS = 30_000;

/** `nowhere`: nobody knows whose draft it is; `here`: the server lacks something; `full`: it takes no more drafts; `published`: the
 * draft is a note already. */
export type SyncState = "nowhere" | "here" | "everywhere" | "full" | "published";

interface DraftSyncOptions {
  written: ComputedRef<Written>;
  key: Ref<string>;
  /** What this browser had when the page opened. */
  stored: Draft | null;
  replace: (next: DraftRead | null) => void;
  /** Whether pictures are on their way, which replacing the draft would abort. */
  uploading: Ref<boolean>;
  /** Without one nothing is saved. */
  userId: number | undefined;
}

export function useDraftSync({ written, key, stored, replace, uploading, userId }: DraftSyncOptions) {
  const revision = ref(stored?.revision ?? 0);
  /** What the server has of this draft, written out; null if nothing is known of it. */
  const synced = ref<string | null>(stored === null || stored.unsaved ? null : writtenOut(stored));
  const state = ref<SyncState>(userId === undefined ? "nowhere" : "here");
  /** What was sent without a reply: the server may have it. */
  const inDoubt = new Set<string>();
  /** The draft as another device saved it, while this one has changes of its own. */
  const theirs = shallowRef<DraftRead | null>(null);
  /** Drafts that are not on the page, what was saved last first. */
  const others = shallowRef<readonly DraftRead[]>([]);
  const current = computed(() => writtenOut(written.value));
  const unsaved = computed(() => current.value !== synced.value);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running: Promise<void> | undefined;
  let stopped = userId === undefined;

  const stopWatching = watch(current, () => {
    if (unsaved.value && state.value === "everywhere") state.value = "here";
    schedule(QUIET_MS);
  });

  function schedule(ms: number): void {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(() => void save(), ms);
  }

  /** Saves what there is to save, after whatever is under way. */
  async function save(): Promise<void> {
    clearTimeout(timer);
    await running;
    if (stopped || theirs.value !== null || !unsaved.value || state.value === "published") return;
    if (revision.value === 0 && isEmpty(written.value)) return;
    running = send().finally(() => (running = undefined));
    await running;
  }

  async function send(): Promise<void> {
    if (userId === undefined) return;
    const [name, sent] = [key.value, current.value];
    try {
      const saved = await storeDraft(userId, name, revision.value, contentOf(written.value));
      if (key.value !== name || saved === undefined) return;
      revision.value = saved.revision;
      synced.value = sent;
      state.value = "everywhere";
      inDoubt.clear();
    } catch (error) {
      if (isInDoubt(error)) inDoubt.add(sent);
      if (key.value === name) await refused(error);
    }
  }

  async function refused(error: unknown): Promise<void> {
    const code = error instanceof ApiError ? error.code : "";
    if (code === "note_draft_changed") return meet();
    if (code === "note_already_published") state.value = "published";
    else if (code === "note_draft_limit") state.value = "full";
    // Too large, or somebody else has signed in: the same again would be refused again.
    else if (code === "note_draft_invalid" || code === "forbidden") state.value = "here";
    else if (code === "note_draft_gone") {
      // Who goes on writing wants to keep it.
      [key.value, revision.value] = [newKey(), 0];
      schedule(0);
    } else {
      state.value = "here";
      schedule(error instanceof ApiError && error.retryAfterSecs !== undefined ? error.retryAfterSecs * 1000 : RETRY_MS);
    }
  }

  /** Reads what the other devices saved. Never rejects: without the server the page goes on with what this browser has. */
  async function meet(): Promise<void> {
    const asked = { key: key.value, revision: revision.value, running };
    const drafts = await listDrafts().catch(() => undefined);
    if (drafts === undefined || stopped) return;
    // What was saved or put on the page meanwhile is not in this list.
    if (asked.running !== running || asked.key !== key.value || asked.revision !== revision.value) return;
    const isChanged = unsaved.value || uploading.value;
    const mine = drafts.find((draft) => draft.key === key.value);
    others.value = drafts.filter((draft) => draft !== mine);
    if (mine === undefined) {
      // It was published or deleted elsewhere. What was written here since then is kept.
      if (revision.value > 0 && !isChanged) take(null);
      else schedule(0);
    } else if (mine.revision === revision.value) {
      if (unsaved.value) schedule(QUIET_MS);
      else state.value = "everywhere";
    } else if (contentText(mine) === current.value || inDoubt.has(contentText(mine))) {
      // Saved here, and the reply was lost: with the page that was reloaded, or on the way.
      [revision.value, synced.value] = [mine.revision, contentText(mine)];
      schedule(0);
    } else if (!isChanged) take(mine);
    else theirs.value = mine;
  }

  function take(next: DraftRead | null): void {
    theirs.value = null;
    replace(next);
    revision.value = next?.revision ?? 0;
    synced.value = current.value;
    state.value = next === null ? "here" : "everywhere";
  }

  /** Before it is published: whether the page has what all devices have, and showed it before it was asked. */
  async function settle(): Promise<boolean> {
    const before = current.value;
    await save();
    await meet();
    if (theirs.value !== null || current.value !== before) return false;
    clearTimeout(timer);
    // Until the reply comes nobody knows whether it is still a draft, so it stays in this browser.
    synced.value = null;
    return true;
  }

  function takeTheirs(): void {
    if (theirs.value !== null) take(theirs.value);
  }

  function keepMine(): void {
    if (theirs.value === null) return;
    revision.value = theirs.value.revision;
    theirs.value = null;
    schedule(0);
  }

  /** Puts another draft on the page, or a blank one. Returns whether what was there is saved, without which it stays. */
  async function open(next: DraftRead | null): Promise<boolean> {
    await save();
    const isKept = !isEmpty(written.value);
    if (isKept && unsaved.value) return false;
    const aside = { key: key.value, revision: revision.value, savedAtMs: serverNowMs(), content: contentOf(written.value) };
    others.value = [...(isKept ? [aside] : []), ...others.value.filter((other) => other.key !== next?.key)];
    take(next);
    await meet();
    return true;
  }

  /** Deletes a draft that is not on the page; rejects if the server did not. */
  async function remove(draft: DraftRead): Promise<void> {
    await deleteStoredDraft(draft.key);
    others.value = others.value.filter((other) => other !== draft);
  }

  /** Blanks the page and deletes its draft of this key. */
  async function discard(name: string): Promise<void> {
    const known = revision.value > 0 || running !== undefined;
    take(null);
    await running;
    // Who cannot reach the server finds it among the other drafts.
    if (known) await deleteStoredDraft(name).catch(() => undefined);
  }

  function stop(): void {
    stopped = true;
    clearTimeout(timer);
    stopWatching();
  }

  const onOnline = () => schedule(0);
  const onVisibility = () => void (document.visibilityState === "hidden" ? save() : meet());
  if (userId !== undefined) {
    window.addEventListener("online", onOnline);
    document.addEventListener("visibilitychange", onVisibility);
    void meet();
  }
  onScopeDispose(() => {
    window.removeEventListener("online", onOnline);
    document.removeEventListener("visibilitychange", onVisibility);
    // Whoever leaves in the middle of a sentence finds it on the other device.
    void save().finally(stop);
  });

  return { revision, unsaved, state, theirs, others, settle, takeTheirs, keepMine, open, remove, discard, stop };
}

function writtenOut(written: Written): string {
  return JSON.stringify(contentOf(written));
}

/** As this browser would write it. */
function contentText(draft: DraftRead): string {
  return writtenOut(writtenIn(draft.content));
}
