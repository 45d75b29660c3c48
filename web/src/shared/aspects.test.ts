import { expect, test } from "vitest";
import { ASPECTS, aspectKey, dishesKey } from "./aspects";

test("food has a taste, and everything else an effect", () => {
  expect(ASPECTS.map((aspect) => aspectKey(aspect, 1))).toEqual(["shop.rating.taste", "shop.rating.surroundings", "shop.rating.service"]);
  expect(aspectKey("main", 8)).toBe("shop.rating.taste");
  expect(aspectKey("main", 5)).toBe("shop.rating.effect");
  expect(aspectKey("main", 99)).toBe("shop.rating.effect");
});

test("people recommend dishes where one eats, and things elsewhere", () => {
  expect(dishesKey(1)).toBe("shop.dishes.food");
  expect(dishesKey(5)).toBe("shop.dishes.other");
});
