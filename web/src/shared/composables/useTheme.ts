// Light, dark, or as the system has it; stored in this browser. public/theme.js does the same before the
// first paint, so key, class and colours must agree with it.
import { computed, ref, watchEffect } from "vue";
import { readSetting, writeSetting } from "@/shared/localSettings";

export type ThemeChoice = "system" | "light" | "dark";

export const DARK_CLASS = "dark";
/** The browser's own bars take the page's background. */
export const THEME_COLORS = { light: "#fffaf5", dark: "#17120f" };

const choice = ref<ThemeChoice>(readChoice());
const systemDark = ref(false);
const dark = computed(() => choice.value === "dark" || (choice.value === "system" && systemDark.value));

function readChoice(): ThemeChoice {
  const stored = readSetting("tandian.theme");
  return stored === "light" || stored === "dark" ? stored : "system";
}

/** Called once at start: follows the system and paints every change. */
export function startTheme(): void {
  const query = window.matchMedia("(prefers-color-scheme: dark)");
  systemDark.value = query.matches;
  query.addEventListener("change", (event) => (systemDark.value = event.matches));
  watchEffect(() => {
    document.documentElement.classList.toggle(DARK_CLASS, dark.value);
    const color = dark.value ? THEME_COLORS.dark : THEME_COLORS.light;
    document.querySelector('meta[name="theme-color"]')?.setAttribute("content", color);
  });
}

export function useTheme() {
  function choose(next: ThemeChoice): void {
    choice.value = next;
    writeSetting("tandian.theme", next === "system" ? null : next);
  }
  return { choice, dark, choose };
}
