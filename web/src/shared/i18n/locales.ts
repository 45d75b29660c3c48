// Which languages there are, and which one a browser gets. Apart from the messages, because start.ts needs it alone.
import { readSetting } from "@/shared/localSettings";

export type LocaleName = "zh-CN" | "en";

export const LOCALES: readonly { value: LocaleName; label: string }[] = [
  { value: "zh-CN", label: "中文" },
  { value: "en", label: "English" },
];

export const DEFAULT_LOCALE: LocaleName = "zh-CN";

/** The stored choice, else the first of the browser's languages that we have, else Chinese. */
export function preferredLocale(languages: readonly string[]): LocaleName {
  const stored = LOCALES.find((locale) => locale.value === readSetting("tandian.locale"));
  if (stored) return stored.value;
  const supported = languages.map(localeOf).find((locale) => locale !== undefined);
  return supported ?? DEFAULT_LOCALE;
}

function localeOf(language: string): LocaleName | undefined {
  const primary = language.toLowerCase().split("-")[0];
  return primary === "zh" ? "zh-CN" : primary === "en" ? "en" : undefined;
}
