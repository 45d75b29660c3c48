// Names for requests that must happen once. A request keeps its name until its outcome is known, in this tab and
// over a reload, so that a lost reply is asked for again and never becomes a second order.
// Storage may be blocked: then a name lasts as long as the page.
import { ApiError } from "@/shared/api/client";

const PREFIX = "tandian.request.";
/** 128 bits in hexadecimal digits: no two people ever choose the same. */
const KEY_BYTES = 16;

const inMemory = new Map<string, string>();

/** The name that is still waiting for its outcome, if any. */
export function pendingKey(request: string): string | null {
  return inMemory.get(request) ?? stored(request);
}

/** The name of a request: the one under way, or a new one. */
export function keyFor(request: string): string {
  const key = pendingKey(request) ?? newKey();
  inMemory.set(request, key);
  try {
    sessionStorage.setItem(PREFIX + request, key);
  } catch {
    // It lasts as long as the page.
  }
  return key;
}

/** The outcome is known: the next request is another one. */
export function settleKey(request: string): void {
  inMemory.delete(request);
  try {
    sessionStorage.removeItem(PREFIX + request);
  } catch {
    // Nothing was stored.
  }
}

/** Whether the request may have been carried out although it failed: no reply, or one that cannot tell. */
export function isInDoubt(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status === 0 || error.status >= 500 || error.code === "bad_reply" || error.code === "in_progress";
}

/** Carries out a request under its name, which is kept exactly as long as the outcome is in doubt. */
export async function once<T>(request: string, work: (key: string) => Promise<T>): Promise<T> {
  try {
    const done = await work(keyFor(request));
    settleKey(request);
    return done;
  } catch (error) {
    if (!isInDoubt(error)) settleKey(request);
    throw error;
  }
}

function stored(request: string): string | null {
  try {
    return sessionStorage.getItem(PREFIX + request);
  } catch {
    return null;
  }
}

/** Not `randomUUID`, which browsers have on secure pages only: a site at home may not be one. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
