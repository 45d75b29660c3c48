// Idempotency keys for requests that must be carried out once. A request keeps its key until its outcome is known, in this
// tab and over a reload, so that a lost reply is requested again and never becomes a second order.
// Storage may be blocked: then a key lasts as long as the page.
import { ApiError } from "@/shared/api/client";

const PREFIX = "tandian.request.";
/** 128 bits in hexadecimal digits: no two users ever draw the same. */
const KEY_BYTES = 16;

const inMemory = new Map<string, string>();

/** The key of a request whose outcome is not known yet, if any. */
export function pendingKey(request: string): string | null {
  return inMemory.get(request) ?? stored(request);
}

/** The key of the request in progress, or a new one. */
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

/** The outcome is known: the next request gets another key. */
export function releaseKey(request: string): void {
  inMemory.delete(request);
  try {
    sessionStorage.removeItem(PREFIX + request);
  } catch {
    // Nothing was stored.
  }
}

/** Whether the request may have been carried out although it failed: no reply, or one that does not say. */
export function isInDoubt(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status === 0 || error.status >= 500 || error.code === "bad_reply" || error.code === "in_progress";
}

/** Whether the same request may succeed a little later: nothing was decided, or there were too many. */
export function isTransient(error: unknown): boolean {
  return isInDoubt(error) || (error instanceof ApiError && error.status === 429);
}

/** Sends a request under its key, which is kept exactly as long as the outcome is in doubt. */
export async function sendOnce<T>(request: string, send: (key: string) => Promise<T>): Promise<T> {
  try {
    const reply = await send(keyFor(request));
    releaseKey(request);
    return reply;
  } catch (error) {
    if (!isInDoubt(error)) releaseKey(request);
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
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
