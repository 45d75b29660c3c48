import { beforeEach, describe, expect, test } from "vitest";
import en from "./en";
import { applyLocale, chooseLocale, i18n, preferredLocale } from "./i18n";
import zhCN from "./zh-CN";

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ""): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === "string") found.set(prefix + key, value);
    else for (const [inner, text] of flatten(value, `${prefix}${key}.`)) found.set(inner, text);
  }
  return found;
}

const chinese = flatten(zhCN);
const english = flatten(en);
/** A message with several forms, for one and for many, names its values in each of them. */
const placeholders = (text: string) => [...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? ""))].sort();

const files = import.meta.glob<string>(["/src/**/*.ts", "/src/**/*.vue", "!/src/shared/i18n/*", "!/src/**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const code = Object.values(files).join("\n");

describe("messages", () => {
  test("both languages have exactly the same keys", () => {
    expect([...english.keys()].sort()).toEqual([...chinese.keys()].sort());
  });

  test("no message is blank", () => {
    for (const [key, text] of [...chinese, ...english]) expect(text.trim(), key).not.toBe("");
  });

  test("both languages fill in the same values", () => {
    for (const [key, text] of chinese) expect(placeholders(english.get(key) ?? ""), key).toEqual(placeholders(text));
  });

  test("every key that the code names exists", () => {
    const named = [...code.matchAll(/(?:\bt\(|(?<!:)[kK]ey(?:path)?[=:]\s*)["'`]([\w.]+)["'`]/g)].map((match) => match[1]);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((key) => key?.includes(".") && !chinese.has(key))).toEqual([]);
  });

  test("every message is used", () => {
    const built = [...code.matchAll(/`([\w.]*\.)\$\{[^}]+\}([\w.]*)`/g)].map(([, head, tail]) => ({ head, tail }));
    const isBuilt = (key: string) =>
      built.some(({ head, tail }) => key.startsWith(head ?? "?") && key.endsWith(tail ?? "?"));
    const unused = [...chinese.keys()].filter((key) => !code.includes(`"${key}"`) && !code.includes(`'${key}'`) && !isBuilt(key));
    expect(unused).toEqual([]);
  });
});

describe("the language in use", () => {
  beforeEach(() => localStorage.clear());

  test.each([
    [["en-GB", "zh-CN"], "en"],
    [["zh-TW"], "zh-CN"],
    [["fr-FR", "en"], "en"],
    [["fr-FR"], "zh-CN"],
    [[], "zh-CN"],
  ])("a browser that prefers %j gets %s", (languages, locale) => {
    expect(preferredLocale(languages)).toBe(locale);
  });

  test("a choice is remembered before the browser's preference", async () => {
    await chooseLocale("en");
    expect(preferredLocale(["zh-CN"])).toBe("en");
  });

  test("nonsense in the storage is ignored", () => {
    localStorage.setItem("tandian.locale", "klingon");
    expect(preferredLocale(["en"])).toBe("en");
  });

  test("switching changes messages and the page's language", async () => {
    await applyLocale("en");
    expect(document.documentElement.lang).toBe("en");
    expect(i18n.global.t("nav.home")).toBe("Home");
    await applyLocale("zh-CN");
    expect(document.documentElement.lang).toBe("zh-CN");
    expect(i18n.global.t("nav.home")).toBe("首页");
  });

  test("every message can be interpreted in both languages", async () => {
    for (const locale of ["zh-CN", "en"] as const) {
      await applyLocale(locale);
      for (const [key, text] of chinese) {
        const values = Object.fromEntries(placeholders(text).map((name) => [name, 1]));
        expect(i18n.global.t(key, values), key).not.toMatch(/[{}]/);
      }
    }
  });
});
