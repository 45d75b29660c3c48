import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ok, refusal, serve, unauthorized } from "@/shared/testing";
import { ApiError, call, configureClient, upload } from "./client";

const onUnauthorized = vi.fn();

beforeEach(() => {
  onUnauthorized.mockReset();
  configureClient({ language: () => "en", onUnauthorized });
});
afterEach(() => vi.unstubAllGlobals());

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const failure: unknown = await promise.catch((error: unknown) => error);
  if (!(failure instanceof ApiError)) throw new Error("expected an ApiError");
  return failure;
}

test("a success resolves with the data alone", async () => {
  serve({ "GET /api/user/me": ok({ id: 7, nickName: "n", icon: "", roles: ["user"] }) });
  expect(await call("get", "/api/user/me")).toEqual({ id: 7, nickName: "n", icon: "", roles: ["user"] });
});

test("a request carries the chosen language, JSON, and no token", async () => {
  const requests = serve({ "POST /api/user/code": ok({}) });
  await call("post", "/api/user/code", { body: { phone: "13800000001" } });
  expect(requests[0]?.headers.get("accept-language")).toBe("en");
  expect(requests[0]?.headers.get("content-type")).toBe("application/json");
  expect(requests[0]?.headers.has("authorization")).toBe(false);
  expect(requests[0]?.body).toEqual({ phone: "13800000001" });
});

test("path parameters are filled in", async () => {
  const requests = serve({ "GET /api/user/info/42": ok() });
  expect(await call("get", "/api/user/info/{id}", { path: { id: 42 } })).toBeUndefined();
  expect(requests).toHaveLength(1);
});

test("an id too long for a number stays whole", async () => {
  const requests = serve({ "GET /api/voucher-order/9007199254740993": ok({ id: "9007199254740993", status: 0 }) });
  await call("get", "/api/voucher-order/{id}", { path: { id: "9007199254740993" } });
  expect(requests).toHaveLength(1);
});

test("headers of an endpoint are sent along", async () => {
  const requests = serve({ "POST /api/voucher-order/1/cancel": ok() });
  await call("post", "/api/voucher-order/{id}/cancel", { path: { id: "1" }, headers: { "Idempotency-Key": "k" } });
  expect(requests[0]?.headers.get("idempotency-key")).toBe("k");
});

test("a refusal says what it is about", async () => {
  serve({ "POST /api/voucher-order/seckill/1": refusal("already_bought", "不能重复下单", "77") });
  expect(await failureOf(call("post", "/api/voucher-order/seckill/{id}", { path: { id: 1 } }))).toMatchObject({ data: "77" });
});

test("a refusal keeps its code, its message and its retry delay", async () => {
  serve({ "POST /api/user/code": refusal("code_too_often", "slow down", { retryAfterSecs: 42 }) });
  const failure = await failureOf(call("post", "/api/user/code", { body: { phone: "1" } }));
  expect(failure).toMatchObject({ code: "code_too_often", message: "slow down", status: 200, retryAfterSecs: 42 });
});

test("an overloaded server says in its header when to come back", async () => {
  serve({
    "GET /api/user/me": { status: 503, headers: { "retry-after": "3" }, body: { success: false, code: "busy" } },
  });
  expect(await failureOf(call("get", "/api/user/me"))).toMatchObject({ code: "busy", status: 503, retryAfterSecs: 3 });
});

test("a date in Retry-After is no number of seconds", async () => {
  const headers = { "retry-after": "Wed, 21 Oct 2026 07:28:00 GMT" };
  serve({ "GET /api/user/me": { status: 503, headers, body: { success: false } } });
  const failure = await failureOf(call("get", "/api/user/me"));
  expect(failure).toMatchObject({ code: "http_503", retryAfterSecs: undefined });
});

test("a lost session is announced before the call fails", async () => {
  serve({ "GET /api/user/me": unauthorized });
  expect(await failureOf(call("get", "/api/user/me"))).toMatchObject({ status: 401 });
  expect(onUnauthorized).toHaveBeenCalledOnce();
});

test("an ordinary refusal does not end the session", async () => {
  serve({ "POST /api/user/logout": refusal("code_wrong", "no") });
  await failureOf(call("post", "/api/user/logout"));
  expect(onUnauthorized).not.toHaveBeenCalled();
});

test("no reply at all is a network error", async () => {
  serve({});
  expect(await failureOf(call("get", "/api/user/me"))).toMatchObject({ code: "network", status: 0, message: "" });
});

test("a call that takes too long is a timeout", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new DOMException("late", "TimeoutError")));
  expect(await failureOf(call("get", "/api/user/me"))).toMatchObject({ code: "timeout", status: 0 });
});

test.each([["not JSON", "<html>"], ["another shape", "[]"], ["nothing", ""]])("a reply that is %s has a code of its own", async (_, text) => {
  vi.stubGlobal("fetch", async () => new Response(text, { status: 502 }));
  expect(await failureOf(call("get", "/api/user/me"))).toMatchObject({ code: "bad_reply", status: 502 });
});

/** A request that is answered by hand. */
class RequestByHand {
  static last: RequestByHand;
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  readonly headers = new Map<string, string>();
  status = 0;
  responseText = "";
  retryAfter: string | null = null;
  onload = () => undefined;
  onerror = () => undefined;
  onabort = () => undefined;
  ontimeout = () => undefined;
  readonly send = vi.fn();
  constructor() {
    RequestByHand.last = this;
  }
  open(): void {}
  setRequestHeader(name: string, value: string): void {
    this.headers.set(name, value);
  }
  getResponseHeader(): string | null {
    return this.retryAfter;
  }
  abort(): void {
    this.onabort();
  }
  answer(status: number, body: unknown): void {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload();
  }
}

function uploading() {
  vi.stubGlobal("XMLHttpRequest", RequestByHand);
  const onProgress = vi.fn();
  const control = new AbortController();
  const sent = upload("/api/upload/blog", new Blob(["x"]), { onProgress, signal: control.signal });
  return { sent, onProgress, control, request: RequestByHand.last };
}

test("a file is sent as the part the server expects, and reports its progress", async () => {
  const { sent, onProgress, request } = uploading();
  const form: unknown = request.send.mock.calls[0]?.[0];
  expect(form instanceof FormData && form.get("file") instanceof Blob).toBe(true);
  expect(request.headers.get("accept-language")).toBe("en");
  request.upload.onprogress?.({ loaded: 1, total: 4 });
  expect(onProgress).toHaveBeenLastCalledWith(0.25);
  request.answer(200, { success: true, data: "/blogs/1/2/a.jpg" });
  expect(await sent).toBe("/blogs/1/2/a.jpg");
});

test("a file is refused with the same error as any call", async () => {
  const { sent, request } = uploading();
  request.retryAfter = "2";
  request.answer(503, { success: false, code: "busy", errorMsg: "busy" });
  expect(await failureOf(sent)).toMatchObject({ code: "busy", status: 503, retryAfterSecs: 2 });
});

test("an upload that is called off ends at once", async () => {
  const { sent, control } = uploading();
  control.abort();
  expect(await failureOf(sent)).toMatchObject({ code: "network", status: 0 });
});
