// Server-sent events. Browsers reconnect a broken stream by themselves, but give up on a refusal: that is retried here,
// after a delay. Invariant: only a visible page holds a stream.
// A browser opens six connections to a site over HTTP/1.1, so streams of pages in the background would use them up.
import { onScopeDispose, ref, watch } from "vue";

/** An overloaded server recovers slowly; reconnecting more often would keep it overloaded. */
const REOPEN_MS = 10_000;

interface StreamOptions {
  url: string;
  /** The name of the events to listen for; those without a name are `message`. */
  event: string;
  onData: (data: unknown) => void;
  /** Called whenever a stream opens: it does not repeat earlier events. */
  onOpen?: () => void;
  /** Whether to hold a stream yet; always, if not given. */
  enabled?: () => boolean;
}

export function useEventStream({ url, event, onData, onOpen, enabled = () => true }: StreamOptions) {
  /** Whether events would arrive; while they would not, pages poll. */
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

  function openOrClose(): void {
    if (document.visibilityState === "hidden" || !enabled()) close();
    else if (source === null) open();
  }

  document.addEventListener("visibilitychange", openOrClose);
  onScopeDispose(() => {
    document.removeEventListener("visibilitychange", openOrClose);
    close();
  });
  watch(enabled, openOrClose, { immediate: true, flush: "sync" });

  return { live };
}

function parsed(data: unknown): unknown {
  try {
    return JSON.parse(String(data));
  } catch {
    return undefined;
  }
}
