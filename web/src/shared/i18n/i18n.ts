// Languages: which there are, which one is in use, and how its messages are loaded.
// Invariant: the messages of a language are loaded before it is switched to, so a bare key is never shown.
// Messages are interpreted, not compiled to code: nothing here needs eval, which our Content-Security-Policy forbids.
import { createI18n } from "vue-i18n";
import { writeSetting } from "@/shared/localSettings";
import { DEFAULT_LOCALE, type LocaleName } from "./locales";
import type zhCN from "./zh-CN";

export { LOCALES, preferredLocale, type LocaleName } from "./locales";

export type Messages = typeof zhCN;
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
