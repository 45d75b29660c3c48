// Replies that start.ts requested before the app was loaded. Invariant: each serves one call, in the language in which it was
// requested, and of the first page alone, so that nothing old is ever shown.

declare global {
  interface Window {
    tandianEarly?: Map<string, Promise<Response>>;
    tandianClockOffsetMs?: number;
  }
}

export function keepEarlyReply(url: string, language: string, reply: Promise<Response>): void {
  window.tandianEarly ??= new Map();
  window.tandianEarly.set(keyOf(url, language), reply);
}

export function takeEarlyReply(url: string, language: string): Promise<Response> | undefined {
  const key = keyOf(url, language);
  const reply = window.tandianEarly?.get(key);
  window.tandianEarly?.delete(key);
  return reply;
}

/** Called when the first page is left. */
export function dropEarlyReplies(): void {
  window.tandianEarly?.clear();
}

/** How far the server's clock is ahead of `performance.now()`, as the first reply had it when it arrived. */
export function keepClockOffset(offsetMs: number): void {
  window.tandianClockOffsetMs = offsetMs;
}

export function earlyClockOffsetMs(): number | undefined {
  return window.tandianClockOffsetMs;
}

function keyOf(url: string, language: string): string {
  return `${language} ${url}`;
}
