// For unit tests only: a fake server with a table of replies, a fake event stream, and the plugins that a component needs.
import { createPinia, setActivePinia, type Pinia } from "pinia";
import { vi } from "vitest";
import { createApp, defineComponent, h, type App, type Plugin } from "vue";
import { i18n, applyLocale } from "@/shared/i18n/i18n";

export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** Replies to `METHOD /path` from the table and records the requests; anything else is a network failure. */
export function serve(table: Record<string, Reply | (() => Reply | Promise<Reply>)>) {
  const requests: { line: string; headers: Headers; body: unknown }[] = [];
  vi.stubGlobal("fetch", async (url: string, init: RequestInit = {}) => {
    const line = `${init.method ?? "GET"} ${url}`;
    const body: unknown = typeof init.body === "string" ? JSON.parse(init.body) : undefined;
    requests.push({ line, headers: new Headers(init.headers), body });
    const entry = table[line];
    if (entry === undefined) throw new TypeError("Failed to fetch");
    const reply = typeof entry === "function" ? await entry() : entry;
    return new Response(JSON.stringify(reply.body), { status: reply.status ?? 200, headers: reply.headers ?? {} });
  });
  return requests;
}

export const ok = (data?: unknown): Reply => ({ body: { success: true, data } });
export const refusal = (code: string, errorMsg: string, data?: unknown): Reply => ({
  body: { success: false, code, errorMsg, data },
});
export const unauthorized: Reply = { status: 401, body: { success: false, code: "unauthorized", errorMsg: "未登录" } };

/** The plugins of a mounted component: a fresh store and the Chinese messages. */
export async function plugins(): Promise<[Pinia, typeof i18n]> {
  const pinia = createPinia();
  setActivePinia(pinia);
  await applyLocale("zh-CN");
  return [pinia, i18n];
}

/** Runs a composable inside an app, as a page would, and returns what it gave along with the app. */
export async function withSetup<T>(composable: () => T, ...more: Plugin[]): Promise<{ result: T; app: App }> {
  const results: T[] = [];
  const app = createApp(
    defineComponent({
      setup() {
        results.push(composable());
        return () => h("div");
      },
    }),
  );
  for (const plugin of [...(await plugins()), ...more]) app.use(plugin);
  app.mount(document.createElement("div"));
  const [result] = results;
  if (result === undefined) throw new Error("the composable returned nothing");
  return { result, app };
}

/** An EventSource that a test controls. */
export class FakeStream extends EventTarget {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSED = 2;
  static all: FakeStream[] = [];
  readyState = FakeStream.CONNECTING;

  constructor() {
    super();
    FakeStream.all.push(this);
  }

  static last(): FakeStream {
    const stream = FakeStream.all.at(-1);
    if (stream === undefined) throw new Error("no stream was opened");
    return stream;
  }

  close(): void {
    this.readyState = FakeStream.CLOSED;
  }

  open(): void {
    this.readyState = FakeStream.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  emit(event: string, data: string): void {
    this.dispatchEvent(new MessageEvent(event, { data }));
  }

  /** The connection is lost; browsers reconnect. */
  break(): void {
    this.readyState = FakeStream.CONNECTING;
    this.dispatchEvent(new Event("error"));
  }

  /** Anything but 200: browsers give up. */
  refuse(): void {
    this.readyState = FakeStream.CLOSED;
    this.dispatchEvent(new Event("error"));
  }
}

/** Sets the visibility of the page. */
export function showPage(state: DocumentVisibilityState): void {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  document.dispatchEvent(new Event("visibilitychange"));
}
