import { expect, test } from "vitest";
import { telUrl } from "./telUrl";

test.each([
  ["0571-0001 2345", "tel:057100012345"],
  ["+86 (571) 0001-2345", "tel:+8657100012345"],
  ["110", "tel:110"],
  ["1+2;ext=3", "tel:123"],
])("%s is dialled as %s", (phone, url) => {
  expect(telUrl(phone)).toBe(url);
});
