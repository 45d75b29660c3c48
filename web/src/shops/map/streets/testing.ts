// For unit tests only: paths and a canvas that record what is drawn, and a server with a file of streets.
import { vi } from "vitest";

/** Paths as text: `M1 2L3 4Z`. */
export class RecordedPath {
  text = "";
  moveTo(x: number, y: number): void {
    this.text += `M${Math.round(x)} ${Math.round(y)}`;
  }
  lineTo(x: number, y: number): void {
    this.text += `L${Math.round(x)} ${Math.round(y)}`;
  }
  closePath(): void {
    this.text += "Z";
  }
}

export function recordPaths(): void {
  vi.stubGlobal("Path2D", RecordedPath);
}

export const textOf = (path: Path2D) => (path as unknown as RecordedPath).text;

/** Calls and colours in their order; a letter is six pixels wide. */
export function recordingCanvas() {
  const calls: string[] = [];
  const target = {
    measureText: (text: string) => ({ width: text.length * 6 }),
  };
  const context = new Proxy(target as Record<string, unknown>, {
    get: (known, name: string) =>
      name in known
        ? known[name]
        : (...given: unknown[]) => {
            const shown = given.map((one) => (one instanceof RecordedPath ? one.text : typeof one === "number" ? Math.round(one) : one));
            calls.push(`${name} ${shown.join(" ")} ${name.startsWith("fill") ? known["fillStyle"] : name === "stroke" ? known["strokeStyle"] : ""}`.trim());
          },
    set: (known, name: string, value) => {
      known[name] = value;
      return true;
    },
  }) as unknown as CanvasRenderingContext2D;
  return { context, calls };
}

/** Answers ranges of `file.content`, as the server does. The file may be replaced, and be out of reach. */
export function serveFile(file: { content: Uint8Array<ArrayBuffer>; tag: string; isDown?: boolean }) {
  const ranges: string[] = [];
  vi.stubGlobal("fetch", async (_: string, init: RequestInit = {}) => {
    const range = new Headers(init.headers).get("range") ?? "";
    if (init.signal?.aborted) throw new DOMException("aborted", "AbortError");
    if (file.isDown) throw new TypeError("Failed to fetch");
    ranges.push(range);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
    const part = file.content.slice(Number(first), Number(last) + 1);
    return new Response(part, { status: 206, headers: { etag: file.tag, "content-length": String(part.length) } });
  });
  return ranges;
}
