// The number of unread notices, and the newest notice as it arrives. The server counts: a stream that reconnects may repeat
// a notice, so an event only triggers another count.
import { defineStore } from "pinia";
import { effectScope, ref, shallowRef, watch, type EffectScope } from "vue";
import { useSessionStore } from "@/account/sessionStore";
import { useEventStream } from "@/shared/composables/useEventStream";
import { listNotices, markNoticesRead, NOTICE_EVENTS_URL, readNoticeEvent, type Notice } from "./api";

export const useNoticesStore = defineStore("notices", () => {
  const session = useSessionStore();
  const unread = ref(0);
  const latest = shallowRef<Notice | null>(null);
  let subscription: EffectScope | undefined;
  let newest = 0;

  /** Only the newest reply counts: an earlier one may be another user's, or from before they were read. */
  async function setUnread(reply: Promise<number>): Promise<void> {
    const mine = ++newest;
    const count = await reply;
    if (mine === newest) unread.value = count;
  }

  /** Never rejects: on a failure the number stays as it was. */
  function countUnread(): Promise<void> {
    return setUnread(listNotices({ size: 1 }).then((page) => page.unread)).catch(() => undefined);
  }

  function onEvent(data: unknown): void {
    const notice = readNoticeEvent(data);
    if (notice === null) return;
    latest.value = notice;
    void countUnread();
  }

  function markRead(lastId: number): Promise<void> {
    return setUnread(markNoticesRead(lastId));
  }

  /** One stream per user: the notices of one are not shown to the next. */
  function subscribe(userId: number | undefined): void {
    subscription?.stop();
    subscription = undefined;
    newest += 1;
    unread.value = 0;
    latest.value = null;
    if (userId === undefined) return;
    // A proxy may buffer a stream until there is something in it.
    void countUnread();
    subscription = effectScope(true);
    subscription.run(() => {
      useEventStream({ url: NOTICE_EVENTS_URL, event: "notice", onData: onEvent, onOpen: () => void countUnread() });
    });
  }

  watch(() => session.me?.id, subscribe, { immediate: true });

  return { unread, latest, markRead };
});
