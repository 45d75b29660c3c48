import { expect, test } from "vitest";
import { picturesOf, thumbnailOf } from "./pictures";

test("a comma list becomes addresses, and a comma too many adds none", () => {
  expect(picturesOf("/imgs/a.jpg, /imgs/b.jpg,")).toEqual(["/imgs/a.jpg", "/imgs/b.jpg"]);
  expect(picturesOf("")).toEqual([]);
});

test("pictures of other hosts are listed, and what is no picture is not", () => {
  const outside = ["https://p0.example/x.png", "//p1.example/y.png?a=1"];
  expect(picturesOf(`${outside.join(",")},/imgs/a.jpg`)).toEqual([...outside, "/imgs/a.jpg"]);
  expect(picturesOf("javascript:alert(1),data:image/png;base64,x,/etc/passwd,https://a.example/'),https://a.example/<b>")).toEqual([]);
});

test("a thumbnail is requested by its size", () => {
  expect(thumbnailOf("/imgs/a.jpg")).toBe("/imgs/a.jpg?size=small");
  expect(thumbnailOf("https://p0.example/x.png?a=1")).toBe("https://p0.example/x.png?a=1");
});
