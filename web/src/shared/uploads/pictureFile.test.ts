import { afterEach, expect, test, vi } from "vitest";
import { fittingSize, prepare, UnreadablePicture } from "./pictureFile";

afterEach(() => vi.unstubAllGlobals());

test("a large picture keeps its shape, a small one its size", () => {
  expect(fittingSize({ width: 4000, height: 3000 })).toEqual({ width: 1600, height: 1200 });
  expect(fittingSize({ width: 3000, height: 4000 })).toEqual({ width: 1200, height: 1600 });
  expect(fittingSize({ width: 800, height: 600 })).toEqual({ width: 800, height: 600 });
  expect(fittingSize({ width: 100_000, height: 1 })).toEqual({ width: 1600, height: 1 });
});

test("a file that fits is sent as it is", async () => {
  vi.stubGlobal("createImageBitmap", async () => ({ width: 800, height: 600, close: () => undefined }));
  const file = new Blob(["x"], { type: "image/jpeg" });
  expect(await prepare(file)).toBe(file);
});

test("what the browser cannot read is said to be unreadable", async () => {
  vi.stubGlobal("createImageBitmap", async () => {
    throw new DOMException("no picture", "InvalidStateError");
  });
  await expect(prepare(new Blob(["not a picture"]))).rejects.toBeInstanceOf(UnreadablePicture);
});
