// Languages: which there are, which one is in use, and how its messages are loaded.
// Invariant: the messages of a language are loaded before it is switched to, so a bare key is never shown.
// Messages are interpreted, not compiled to code: nothing here needs eval, which our Content-Security-Policy forbids.
import { createI18n } from "vue-i18n";
import { readSetting, writeSetting } from "@/shared/localSettings";
import type zhCN from "./zh-CN";

export type Messages = typeof zhCN;
export type LocaleName = "zh-CN" | "en";

export const LOCALES: readonly { value: LocaleName; label: string }[] = [
  { value: "zh-CN", label: "中文" },
  { value: "en", label: "English" },
];

const DEFAULT_LOCALE: LocaleName = "zh-CN";

const LOADERS = {
  "zh-CN": () => import("./zh-CN"),
  en: () => import("./en"),
};

export const i18n = createI18n({
  legacy: false,
  locale: DEFAULT_LOCALE as LocaleName,
  fallbackLocale: false,
  messages: {} as Record<LocaleName, Messages>,
});

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

export async function applyLocale(locale: LocaleName): Promise<void> {
  const { default: messages } = await LOADERS[locale]();
  i18n.global.setLocaleMessage(locale, messages);
  i18n.global.locale.value = locale;
  document.documentElement.lang = locale;
}

export async function chooseLocale(locale: LocaleName): Promise<void> {
  await applyLocale(locale);
  writeSetting("tandian.locale", locale);
}

export function currentLocale(): LocaleName {
  return i18n.global.locale.value;
}
