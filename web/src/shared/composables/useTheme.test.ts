import { beforeEach, expect, test } from "vitest";
import { nextTick } from "vue";
import script from "../../../public/theme.js?raw";
import { DARK_CLASS, startTheme, THEME_COLORS, useTheme } from "./useTheme";

beforeEach(() => localStorage.clear());

test("the script before the first paint agrees on key, class and colours", () => {
  for (const shared of ["tandian.theme", DARK_CLASS, THEME_COLORS.light, THEME_COLORS.dark]) {
    expect(script).toContain(`"${shared}"`);
  }
});

test("a choice is applied and stored, and the system's is not stored", async () => {
  startTheme();
  const { choose } = useTheme();
  choose("dark");
  await nextTick();
  expect(document.documentElement.classList.contains(DARK_CLASS)).toBe(true);
  expect(localStorage.getItem("tandian.theme")).toBe("dark");
  choose("light");
  await nextTick();
  expect(document.documentElement.classList.contains(DARK_CLASS)).toBe(false);
  choose("system");
  expect(localStorage.getItem("tandian.theme")).toBeNull();
});
