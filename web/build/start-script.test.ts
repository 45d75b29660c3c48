import { expect, test } from "vitest";
import { patternOf } from "./start-script.ts";

test.each([
  ["/", "/", "/me"],
  ["/shop/:id", "/shop/7", "/shop"],
  ["/shop/:id", "/shop/7/", "/shop/7/x"],
  ["/note/:id(\\\\d+)", "/note/7", "/note/"],
  ["/user/:id(\\\\d+)/fans", "/user/7/fans", "/user/7"],
  ["/me/check-ins", "/me/check-ins", "/me/check-ins/x"],
])("the pattern of %s takes %s and not %s", (route, taken, refused) => {
  const pattern = new RegExp(patternOf(route));
  expect(pattern.test(taken)).toBe(true);
  expect(pattern.test(refused)).toBe(false);
});
