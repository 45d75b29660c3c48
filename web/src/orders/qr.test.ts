import { expect, test } from "vitest";
import { drawQr, QUIET_ZONE } from "./qr";

/** The dark squares of a drawing, as rows of characters. */
function pictureOf(text: string): string[] {
  const { size, path } = drawQr(text);
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => "."));
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    const row = rows[Number(y)];
    if (row) row[Number(x)] = "#";
  }
  return rows.map((row) => row.join(""));
}

const EYE = ["#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######"];

test("a code has its three eyes, and white around it", () => {
  const picture = pictureOf("2311549043182862");
  const size = picture.length - 2 * QUIET_ZONE;
  const eyeAt = (x: number, y: number) =>
    picture.slice(y + QUIET_ZONE, y + QUIET_ZONE + 7).map((row) => row.slice(x + QUIET_ZONE, x + QUIET_ZONE + 7));
  expect(eyeAt(0, 0)).toEqual(EYE);
  expect(eyeAt(size - 7, 0)).toEqual(EYE);
  expect(eyeAt(0, size - 7)).toEqual(EYE);
  expect(picture.slice(0, QUIET_ZONE).join("")).not.toContain("#");
  for (const row of picture) expect(row.slice(0, QUIET_ZONE)).toBe("....");
});

test("the digits of an order fit the smallest codes, so that each square is large", () => {
  expect(drawQr("2311549043182862").size).toBeLessThanOrEqual(25 + 2 * QUIET_ZONE);
});
