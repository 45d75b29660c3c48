import { expect, test } from "vitest";
import { areasOf } from "./areas";

test("an area is at the centre of its shops, the largest first", () => {
  const shops = [
    { x: 1, y: 1, area: "桥西" },
    { x: 2, y: 2, area: "大关" },
    { x: 4, y: 6, area: "大关" },
    { x: 9, y: 9 },
  ];
  expect(areasOf(shops)).toEqual([
    { name: "大关", point: { x: 3, y: 4 } },
    { name: "桥西", point: { x: 1, y: 1 } },
  ]);
});
