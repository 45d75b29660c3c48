// How many notices wait to be read, and the newest one as it arrives. The server counts: a stream that is broken and
// begun again may tell of a notice twice, so what arrives only says that it is time to ask.
import { defineStore } from "pinia";
import { effectScope, ref, shallowRef, watch, type EffectScope } from "vue";
import { useSessionStore } from "@/account/sessionStore";
import { useEventStream } from "@/shared/composables/useEventStream";
import { listNotices, markNoticesRead, NOTICE_EVENTS_URL, readNoticeEvent, type Notice } from "./api";

export const useNoticesStore = defineStore("notices", () => {
  const session = useSessionStore();
  const unread = ref(0);
  const latest = shallowRef<Notice | null>(null);
  let listening: EffectScope | undefined;
  let newest = 0;

  /** Only the newest answer counts: an earlier one may be about somebody else, or from before they were read. */
  async function learn(answer: Promise<number>): Promise<void> {
    const mine = ++newest;
    const told = await answer;
    if (mine === newest) unread.value = told;
  }

  /** Never rejects: a number that cannot be had stays as it was. */
  function count(): Promise<void> {
    return learn(listNotices({ size: 1 }).then((page) => page.unread)).catch(() => undefined);
  }

  function arrive(data: unknown): void {
    const notice = readNoticeEvent(data);
    if (notice === null) return;
    latest.value = notice;
    void count();
  }

  function markRead(lastId: number): Promise<void> {
    return learn(markNoticesRead(lastId));
  }

  /** One stream per person: what one is told is not the next one's to see. */
  function follow(personId: number | undefined): void {
    listening?.stop();
    listening = undefined;
    newest += 1;
    unread.value = 0;
    latest.value = null;
    if (personId === undefined) return;
    // Something between the site and the page may hold a stream back until there is something in it.
    void count();
    listening = effectScope(true);
    listening.run(() => {
      useEventStream({ url: NOTICE_EVENTS_URL, event: "notice", onData: arrive, onOpen: () => void count() });
    });
  }

  watch(() => session.me?.id, follow, { immediate: true });

  return { unread, latest, markRead };
});
