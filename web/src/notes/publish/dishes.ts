// The names of what a note recommends, by the rules of the server: cleaned, and the same one once.
import { lengthOf } from "@/shared/textLength";

/** The server's limits. */
export const DISHES_MAX = 5;
export const DISH_MAX = 20;

/** As it is sent. */
export function dishName(typed: string): string {
  return typed.trim().replaceAll(/\s+/gu, " ");
}

/** Has a letter or a digit, and fits. */
export function isDish(name: string): boolean {
  return /[\p{L}\p{N}]/u.test(name) && lengthOf(name) <= DISH_MAX;
}

/** The same for names that the server takes for the same: case, width and punctuation do not count. */
export function dishKey(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "");
}

export function isAmong(name: string, dishes: readonly string[]): boolean {
  return dishes.some((known) => dishKey(known) === dishKey(name));
}
