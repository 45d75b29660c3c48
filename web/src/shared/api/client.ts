// The HTTP client, the only place that knows base URL, session cookie, envelope and errors.
// Invariant: a call either resolves with the reply's `data` or rejects with one ApiError that carries a
// stable `code`. The session lives in an HttpOnly cookie, so no token is ever seen or kept here.
import { takeEarlyReply } from "./earlyReplies";
import type { components, paths } from "./schema";

/** A slower reply times out: users leave sooner, and a retry is offered. */
const TIMEOUT_MS = 15_000;
/** What we send of a picture gets through in this time even at thirty kilobits a second. */
const UPLOAD_TIMEOUT_MS = 120_000;

/** Codes of failures without a reply that can be read. */
type ClientCode = "network" | "timeout" | "bad_reply";

export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: string;
  /** HTTP status; 0 when there was no reply at all. */
  readonly status: number;
  readonly retryAfterSecs: number | undefined;
  /** The data of a refusal, such as the id of the order that exists already; to be checked before use. */
  readonly data: unknown;

  /** `message` is the server's sentence in the user's language, or empty when it sent none. */
  constructor(code: string, message: string, status: number, retryAfterSecs?: number, data?: unknown) {
    super(message);
    this.code = code;
    this.status = status;
    this.retryAfterSecs = retryAfterSecs;
    this.data = data;
  }
}

type Method = "get" | "post" | "put" | "delete";
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never;
}[keyof paths];

type Operation<M extends Method, P extends PathOf<M>> = paths[P] extends Record<M, infer O> ? O : never;
type JsonOf<T> = T extends { content: { "application/json": infer B } } ? B : never;
type Reply<O> = O extends { responses: { 200: infer R } } ? JsonOf<R> : never;
type ParametersOf<O, K extends "path" | "query" | "header"> = O extends { parameters: infer A }
  ? K extends keyof A
    ? NonNullable<A[K]>
    : never
  : never;
/** Ids of orders exceed what a number keeps, so whatever is described as a number may be written out. */
type Written<T> = { [K in keyof T]: T[K] extends number ? T[K] | string : T[K] };
type BodyOf<O> = O extends { requestBody?: infer B } ? JsonOf<NonNullable<B>> : never;

/** A refusal comes with status 200 as well, so it is one of the bodies described there. */
type Success<R> = R extends components["schemas"]["Failure"] ? never : R;
type DataIn<R> = R extends { data?: infer D } ? D : undefined;

/** What a successful call resolves with; endpoints may leave `data` out, hence the `undefined`. */
export type DataOf<M extends Method, P extends PathOf<M>> = DataIn<Success<Reply<Operation<M, P>>>> | undefined;

export interface CallOptions<M extends Method, P extends PathOf<M>> {
  path?: Written<ParametersOf<Operation<M, P>, "path">>;
  query?: ParametersOf<Operation<M, P>, "query">;
  headers?: ParametersOf<Operation<M, P>, "header">;
  body?: BodyOf<Operation<M, P>>;
  /** Aborting counts as a network failure. */
  signal?: AbortSignal;
}

interface ClientConfig {
  /** The language in which the server should write its messages. */
  language: () => string;
  /** Called on every 401, before the error is thrown. */
  onUnauthorized: () => void;
  /** Sends a request in place of `fetch`: start.ts keeps the replies. */
  request?: (url: string, init: RequestInit) => Promise<Response>;
}

let config: ClientConfig = { language: () => "zh-CN", onUnauthorized: () => undefined };

export function configureClient(next: ClientConfig): void {
  config = next;
}

export async function call<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  options: CallOptions<M, P> = {},
): Promise<DataOf<M, P>> {
  return unwrap(await send(method, urlOf(path, options), options));
}

export interface UploadOptions {
  /** Called with the share of the file that is sent, from 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/** Sends one file, as the part that the server calls `file`. */
export async function upload<P extends PathOf<"post">>(path: P, file: Blob, options: UploadOptions): Promise<DataOf<"post", P>> {
  return unwrap(await sendFile(path, file, options));
}

function request(url: string, init: RequestInit): Promise<Response> {
  return config.request === undefined ? fetch(url, init) : config.request(url, init);
}

async function unwrap<D>(response: Response): Promise<D> {
  const envelope = await readEnvelope(response);
  if (response.status === 401) config.onUnauthorized();
  if (!response.ok || !envelope.success) throw refusalOf(response, envelope);
  return envelope.data as D;
}

function urlOf(path: string, options: { path?: object; query?: object }): string {
  const values = new Map(Object.entries(options.path ?? {}));
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values.get(name))));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== null) query.set(name, String(value));
  }
  return query.size > 0 ? `${filled}?${query}` : filled;
}

async function send(method: Method, url: string, options: { headers?: object; body?: unknown; signal?: AbortSignal }): Promise<Response> {
  const language = config.language();
  const headers: Record<string, string> = { ...options.headers, accept: "application/json", "accept-language": language };
  const { body } = options;
  const init: RequestInit = { method: method.toUpperCase(), headers, credentials: "same-origin" };
  if (body !== undefined) {
    headers["content-type"] = "application/json";
    init.body = JSON.stringify(body);
  }
  try {
    const early = method === "get" ? takeEarlyReply(url, language) : undefined;
    return await (early ?? request(url, { ...init, signal: endOf(options.signal) }));
  } catch (cause) {
    const timedOut = cause instanceof DOMException && cause.name === "TimeoutError";
    throw clientError(timedOut ? "timeout" : "network", 0);
  }
}

/** Aborts with the caller's signal or after the timeout. `AbortSignal.any` is too new. */
function endOf(signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  if (signal === undefined) return timeout;
  const end = new AbortController();
  for (const cause of [signal, timeout]) cause.addEventListener("abort", () => end.abort(cause.reason), { once: true });
  if (signal.aborted) end.abort(signal.reason);
  return end.signal;
}

/** Not by fetch, which has no upload progress. Aborting counts as a network failure. */
function sendFile(url: string, file: Blob, { onProgress, signal }: UploadOptions): Promise<Response> {
  const form = new FormData();
  form.append("file", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader("accept-language", config.language());
    request.timeout = UPLOAD_TIMEOUT_MS;
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.onload = () => resolve(replyOf(request));
    request.onerror = request.onabort = () => reject(clientError("network", 0));
    request.ontimeout = () => reject(clientError("timeout", 0));
    signal.addEventListener("abort", () => request.abort(), { once: true });
    request.send(form);
  });
}

function replyOf(request: XMLHttpRequest): Response {
  const retryAfter = request.getResponseHeader("retry-after");
  const headers: Record<string, string> = retryAfter === null ? {} : { "retry-after": retryAfter };
  return new Response(request.responseText, { status: request.status, headers });
}

interface Envelope {
  success: boolean;
  errorMsg?: string;
  code?: string;
  data?: unknown;
}

async function readEnvelope(response: Response): Promise<Envelope> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isEnvelope(body)) return body;
  throw clientError("bad_reply", response.status);
}

function isEnvelope(body: unknown): body is Envelope {
  return typeof body === "object" && body !== null && "success" in body && typeof body.success === "boolean";
}

function clientError(code: ClientCode, status: number): ApiError {
  return new ApiError(code, "", status);
}

function refusalOf(response: Response, envelope: Envelope): ApiError {
  const code = envelope.code ?? `http_${response.status}`;
  const { data, errorMsg = "" } = envelope;
  return new ApiError(code, errorMsg, response.status, retryAfterOf(response, data), data);
}

/** Refusals have it in their data, overload and rate limits in the header. */
function retryAfterOf(response: Response, data: unknown): number | undefined {
  const value =
    typeof data === "object" && data !== null && "retryAfterSecs" in data
      ? data.retryAfterSecs
      : response.headers.get("retry-after");
  const secs = Number(value ?? Number.NaN);
  return Number.isFinite(secs) && secs > 0 ? Math.ceil(secs) : undefined;
}
