import { expect, test } from "vitest";
import { picturesOf, thumbnailOf } from "./pictures";

test("a comma list becomes addresses, and a comma too many adds none", () => {
  expect(picturesOf("/imgs/a.jpg, /imgs/b.jpg,")).toEqual(["/imgs/a.jpg", "/imgs/b.jpg"]);
  expect(picturesOf("")).toEqual([]);
});

test("pictures of other sites are left out", () => {
  expect(picturesOf("https://evil.example/x.png,//evil.example/y.png,/imgs/a.jpg")).toEqual(["/imgs/a.jpg"]);
});

test("a thumbnail is requested by its size", () => {
  expect(thumbnailOf("/imgs/a.jpg")).toBe("/imgs/a.jpg?size=small");
});
