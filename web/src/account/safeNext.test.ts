import { expect, test } from "vitest";
import { safeNext } from "./safeNext";

test.each(["/", "/me", "/me/edit?tab=1#top", "/搜索"])("%s is accepted", (path) => {
  expect(safeNext(path)).toBe(new URL(path, "https://site.example").href.slice("https://site.example".length));
});

test.each([
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/./\\evil.example",
  "/.//evil.example",
  "/a/..//evil.example",
  "https://evil.example",
  "javascript:alert(1)",
  "me",
  "",
])("%j leads home instead of away", (path) => {
  expect(safeNext(path)).toBe("/");
});

test.each([undefined, null, ["/me"], 3])("%j is no path", (value) => {
  expect(safeNext(value)).toBe("/");
});
