import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { withSetup } from "@/shared/testing";
import { useShare } from "./useShare";

const showDialog = vi.hoisted(() => vi.fn<(options: unknown) => Promise<void>>());
vi.mock("@/shared/dialog", () => ({ showDialog }));

const PAGE = { title: "兰州牛肉面", path: "/shop/7" };
const written: string[] = [];

function browserWith(parts: { share?: (data: ShareData) => Promise<void>; writeText?: (text: string) => Promise<void> }) {
  vi.stubGlobal("navigator", {
    ...(parts.share && { share: parts.share, canShare: () => true }),
    ...(parts.writeText && { clipboard: { writeText: parts.writeText } }),
  });
}

const clipboard = async (text: string) => void written.push(text);
const share = async () => (await withSetup(useShare)).result(PAGE);

beforeEach(() => void written.splice(0));
afterEach(() => vi.unstubAllGlobals());

test("a phone shares by its own sheet, with the whole address", async () => {
  const shared: ShareData[] = [];
  browserWith({ share: async (data) => void shared.push(data), writeText: clipboard });
  expect(await share()).toBe("shared");
  expect(shared).toEqual([{ title: "兰州牛肉面", url: `${window.location.origin}/shop/7` }]);
  expect(written).toEqual([]);
});

test("closing the sheet is an answer, and copies nothing", async () => {
  browserWith({ share: () => Promise.reject(new DOMException("", "AbortError")), writeText: clipboard });
  expect(await share()).toBe("dismissed");
  expect(written).toEqual([]);
});

test("a sheet that cannot be opened leaves the clipboard", async () => {
  browserWith({ share: () => Promise.reject(new DOMException("", "NotAllowedError")), writeText: clipboard });
  expect(await share()).toBe("copied");
  expect(written).toEqual([`${window.location.origin}/shop/7`]);
});

test("without a clipboard the URL is shown, and no copy is announced", async () => {
  browserWith({});
  expect(await share()).toBe("shown");
  expect(showDialog).toHaveBeenCalledWith({
    title: "复制下面的链接",
    message: `${window.location.origin}/shop/7`,
  });
});
