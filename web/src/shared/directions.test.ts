import { expect, test } from "vitest";
import { directionsUrl } from "./directions";

test("in China the link is Amap's, in its own datum, longitude first", () => {
  const url = new URL(directionsUrl({ name: "老街, 面馆 & 酒", x: 120.149192, y: 30.316078 }));
  expect(url.origin + url.pathname).toBe("https://uri.amap.com/navigation");
  expect(url.searchParams.get("to")).toBe("120.149192,30.316078,老街  面馆 & 酒");
  expect(url.searchParams.get("coordinate")).toBe("gaode");
});

test("elsewhere the link is Google's, latitude first", () => {
  const url = new URL(directionsUrl({ name: "Ramen", x: 139.7671, y: 35.6812 }));
  expect(url.origin + url.pathname).toBe("https://www.google.com/maps/dir/");
  expect(url.searchParams.get("destination")).toBe("35.6812,139.7671");
});
