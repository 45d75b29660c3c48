import { afterEach, beforeEach, expect, test, vi } from "vitest";

// A reloaded page has only what is in the tab's storage.
async function reload() {
  vi.resetModules();
  return import("./idempotencyKeys");
}

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.unstubAllGlobals());

test("a pending request keeps its key, over a reload too", async () => {
  const key = (await reload()).keyFor("pay.1");
  expect((await reload()).keyFor("pay.1")).toBe(key);
});

test("a request with a known outcome releases its key", async () => {
  const keys = await reload();
  const first = keys.keyFor("pay.1");
  keys.releaseKey("pay.1");
  expect(keys.pendingKey("pay.1")).toBeNull();
  expect(keys.keyFor("pay.1")).not.toBe(first);
});

test("requests have names of their own, short enough for the server", async () => {
  const keys = await reload();
  expect(keys.keyFor("pay.1")).not.toBe(keys.keyFor("pay.2"));
  expect(keys.keyFor("pay.1")).toMatch(/^[0-9a-f]{32}$/);
});

test("blocked storage loses the key at a reload, and nothing else", async () => {
  const blocked = () => {
    throw new DOMException("blocked", "SecurityError");
  };
  vi.stubGlobal("sessionStorage", { getItem: blocked, setItem: blocked, removeItem: blocked });
  const keys = await reload();
  expect(keys.keyFor("pay.1")).toBe(keys.keyFor("pay.1"));
  keys.releaseKey("pay.1");
  expect(keys.pendingKey("pay.1")).toBeNull();
});

async function failure(code: string, status: number) {
  const { ApiError } = await import("@/shared/api/client");
  return new ApiError(code, "", status);
}

test.each([
  ["network", 0, true],
  ["timeout", 0, true],
  ["processing", 503, true],
  ["internal", 500, true],
  ["bad_reply", 200, true],
  ["in_progress", 409, true],
  ["sold_out", 200, false],
  ["not_signed_in", 401, false],
  ["too_many", 429, false],
])("after %s with status %d the outcome is in doubt: %s", async (code, status, inDoubt) => {
  const { isInDoubt } = await import("./idempotencyKeys");
  expect(isInDoubt(await failure(code, status))).toBe(inDoubt);
});

test("a request whose reply was lost is retried under the same key", async () => {
  const { sendOnce, pendingKey } = await import("./idempotencyKeys");
  const names: string[] = [];
  const lost = sendOnce("buy.1", async (key) => {
    names.push(key);
    throw await failure("network", 0);
  });
  await expect(lost).rejects.toMatchObject({ code: "network" });
  const order = await sendOnce("buy.1", async (key) => {
    names.push(key);
    return "77";
  });
  expect(order).toBe("77");
  expect(names[0]).toBe(names[1]);
  expect(pendingKey("buy.1")).toBeNull();
});
