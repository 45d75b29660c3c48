// News from the server as they happen (server-sent events). Browsers begin a broken stream again by themselves, but
// give up on a refusal: that is tried again here, after a pause. Invariant: only a page that is seen holds a stream.
// A browser opens six connections to a site at most, so streams of pages in the background would stop it altogether.
import { onScopeDispose, ref, watch } from "vue";

/** A full house empties slowly; asking more often would only help to keep it full. */
const REOPEN_MS = 10_000;

export interface StreamOptions {
  url: string;
  /** The kind of events to listen for; those without a name are `message`. */
  event: string;
  onData: (data: unknown) => void;
  /** Called whenever a stream begins: what happened before is not told by it. */
  onOpen?: () => void;
  /** Whether there is anything to hear of yet; always, if not given. */
  wanted?: () => boolean;
}

export function useEventStream({ url, event, onData, onOpen, wanted = () => true }: StreamOptions) {
  /** Whether news would arrive; while they would not, pages ask by themselves. */
  const live = ref(false);
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function open(): void {
    close();
    source = new EventSource(url);
    source.addEventListener("open", () => {
      live.value = true;
      onOpen?.();
    });
    source.addEventListener("error", onError);
    source.addEventListener(event, (message) => onData(parsed(message.data)));
  }

  function onError(): void {
    live.value = false;
    if (source?.readyState !== EventSource.CLOSED) return;
    close();
    timer = setTimeout(open, REOPEN_MS);
  }

  function close(): void {
    clearTimeout(timer);
    source?.close();
    source = null;
    live.value = false;
  }

  function follow(): void {
    if (document.visibilityState === "hidden" || !wanted()) close();
    else if (source === null) open();
  }

  document.addEventListener("visibilitychange", follow);
  onScopeDispose(() => {
    document.removeEventListener("visibilitychange", follow);
    close();
  });
  watch(wanted, follow, { immediate: true, flush: "sync" });

  return { live };
}

function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
