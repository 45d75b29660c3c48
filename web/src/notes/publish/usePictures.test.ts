import { flushPromises } from "@vue/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ok, serve, withSetup } from "@/shared/testing";
import { usePictures } from "./usePictures";

/** Uploads that are answered by hand, in any order. */
class UploadByHand {
  static all: UploadByHand[] = [];
  readonly upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  status = 0;
  responseText = "";
  onload = () => undefined;
  onabort = () => undefined;
  aborted = false;
  constructor() {
    UploadByHand.all.push(this);
  }
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  getResponseHeader(): string | null {
    return this.status === 503 ? "1" : null;
  }
  abort(): void {
    this.aborted = true;
    this.onabort();
  }
  async answer(status: number, body: unknown): Promise<void> {
    this.status = status;
    this.responseText = JSON.stringify(body);
    this.onload();
    await flushPromises();
  }
  done(name: string): Promise<void> {
    return this.answer(200, { success: true, data: name });
  }
}

const uploads = () => UploadByHand.all;
const files = (count: number) => Array.from({ length: count }, (_, at) => new File(["x"], `${at}.jpg`, { type: "image/jpeg" }));

async function open(most = 9) {
  const { result, app } = await withSetup(() => usePictures(most));
  const at = (index: number) => {
    const picture = result.pictures.value[index];
    if (picture === undefined) throw new Error(`no picture ${index}`);
    return picture;
  };
  return { album: result, app, at };
}

beforeEach(() => {
  UploadByHand.all = [];
  vi.stubGlobal("XMLHttpRequest", UploadByHand);
  vi.stubGlobal("createImageBitmap", async () => ({ width: 8, height: 6, close: () => undefined }));
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("pictures are uploaded two at a time and keep the order they were chosen in", async () => {
  const { album } = await open();
  album.add(files(3));
  await flushPromises();
  expect(uploads()).toHaveLength(2);
  await uploads()[1]?.done("/b");
  expect(uploads()).toHaveLength(3);
  await uploads()[2]?.done("/c");
  expect(album.uploading.value).toBe(true);
  await uploads()[0]?.done("/a");
  expect(album.names.value).toEqual(["/a", "/b", "/c"]);
  expect(album.uploading.value).toBe(false);
});

test("no more pictures are added than allowed", async () => {
  const { album } = await open(3);
  album.restore(["/old"]);
  expect(album.add(files(4))).toBe(2);
  expect(album.pictures.value).toHaveLength(3);
  expect(album.room.value).toBe(0);
});

test("a picture reports its progress, and a failed upload can be retried", async () => {
  const { album, at } = await open();
  album.add(files(1));
  await flushPromises();
  uploads()[0]?.upload.onprogress?.({ loaded: 1, total: 2 });
  expect(at(0).progress).toBe(0.5);
  await uploads()[0]?.answer(200, { success: false, code: "image_unsupported", errorMsg: "图片格式不支持" });
  expect(at(0)).toMatchObject({ state: "failed", failure: { code: "image_unsupported" } });
  album.retry(at(0));
  await flushPromises();
  await uploads()[1]?.done("/a");
  expect(at(0)).toMatchObject({ state: "ready", name: "/a" });
});

test("a busy server is retried", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { album, at } = await open();
  album.add(files(1));
  await flushPromises();
  await uploads()[0]?.answer(503, { success: false, code: "busy" });
  expect(at(0).state).toBe("sending");
  await vi.advanceTimersByTimeAsync(1_000);
  await uploads()[1]?.done("/a");
  expect(at(0).state).toBe("ready");
});

test("a removed picture is not sent on, and not left on the server", async () => {
  const requests = serve({ "DELETE /api/upload/blog/delete?name=%2Fa": ok() });
  const { album, at } = await open();
  album.add(files(3));
  await flushPromises();
  await uploads()[0]?.done("/a");
  album.remove(at(1));
  album.remove(at(0));
  expect(uploads()[1]?.aborted).toBe(true);
  expect(requests.map(({ line }) => line)).toEqual(["DELETE /api/upload/blog/delete?name=%2Fa"]);
  expect(album.pictures.value).toHaveLength(1);
});

test("a picture that was cropped takes the place of the whole one", async () => {
  const requests = serve({ "DELETE /api/upload/blog/delete?name=%2Fa": ok() });
  const { album, at } = await open();
  album.restore(["/a", "/b"]);
  album.replace(at(0), new Blob(["part"], { type: "image/jpeg" }));
  expect(album.names.value).toEqual(["/b"]);
  await flushPromises();
  await uploads()[0]?.done("/part");
  expect(album.names.value).toEqual(["/part", "/b"]);
  expect(requests).toHaveLength(1);
});

test("the order is changed one place at a time, and not beyond the ends", async () => {
  const { album, at } = await open();
  album.restore(["/a", "/b", "/c"]);
  album.move(at(2), -1);
  expect(album.names.value).toEqual(["/a", "/c", "/b"]);
  album.move(at(0), -1);
  album.move(at(2), 1);
  expect(album.names.value).toEqual(["/a", "/c", "/b"]);
});

test("nothing is sent any more once the page is left", async () => {
  const { album, app } = await open();
  album.add(files(4));
  await flushPromises();
  app.unmount();
  await flushPromises();
  expect(uploads().map(({ aborted }) => aborted)).toEqual([true, true]);
});
