// The words themselves: plurals, and the glossary of web/README.md. Which keys there are is for i18n.test.ts.
import { beforeAll, describe, expect, test } from "vitest";
import { DATA_USES, OPERATOR, PRIVACY, PURPOSES, TEMPLATE, TERMS } from "@/legal/words";
import en from "./en";
import { applyLocale, i18n, type LocaleName } from "./i18n";
import zhCN from "./zh-CN";

type Tree = { [key: string]: string | Tree };

function flatten(tree: Tree, prefix = ""): [string, string][] {
  return Object.entries(tree).flatMap(([key, value]) =>
    typeof value === "string" ? [[prefix + key, value] as [string, string]] : flatten(value, `${prefix}${key}.`),
  );
}

const chinese = flatten(zhCN);
const english = flatten(en);
const forms = (text: string) => text.split(" | ");
const plurals = english.filter(([, text]) => forms(text).length > 1);

/** Nothing in them changes with the number: "1 left" and "2 left". */
const SAME_FOR_ALL = [
  "checkIn.streak",
  "lab.perSec",
  "lab.player.step",
  "lab.share",
  "note.picture",
  "note.pictureOf",
  "notice.labelUnread",
  "publish.room",
  "sale.days",
  "sale.left",
  "sale.total",
  "shop.sold",
];

const files = import.meta.glob<string>(["/src/**/*.ts", "/src/**/*.vue", "!/src/**/*.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});

describe("plurals", () => {
  beforeAll(() => applyLocale("en"));

  test("an English message with a count has a form for one and a form for many", () => {
    const lacking = english
      .filter(([key, text]) => text.includes("{count}") && !SAME_FOR_ALL.includes(key))
      .filter(([, text]) => forms(text).length !== 2 || new Set(forms(text)).size !== 2);
    expect(lacking).toEqual([]);
  });

  test("both forms have the count", () => {
    expect(plurals.filter(([, text]) => !forms(text).every((form) => form.includes("{count}")))).toEqual([]);
  });

  test("one thing is never many things", () => {
    for (const [key, text] of english.filter(([, text]) => text.includes("{count}"))) {
      const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, "1"]);
      expect(i18n.global.t(key, Object.fromEntries(names), 1), key).not.toMatch(/\b1 (?:more |new )?\w+s\b/);
    }
  });

  test.each([
    [0, "0 notes"],
    [1, "1 note"],
    [2, "2 notes"],
    [21, "21 notes"],
  ])("%i is written %j", (count, words) => {
    expect(i18n.global.t("shop.comments", { count }, count)).toBe(words);
  });

  test("Chinese has one form", () => {
    expect(chinese.filter(([, text]) => text.includes("|"))).toEqual([]);
  });

  /** A formatted count ("1.2K") is text, which chooses no form: the number itself goes beside it. */
  test("whoever shows a message with two forms gives the number", () => {
    const calls = Object.values(files).flatMap((code) => [...code.matchAll(/\bt\(\s*["'`]([^"'`]+)["'`](?:,\s*\{[^{}]*\}(,?))?/g)]);
    const messageOf = ([, name = ""]: RegExpExecArray) =>
      new RegExp(`^${name.replaceAll(/\$\{[^}]*\}/g, "\\w+").replaceAll(".", "\\.")}$`);
    const uncalled = plurals.filter(([key]) => !calls.some((call) => messageOf(call).test(key)));
    expect(uncalled.map(([key]) => key)).toEqual([]);
    const ofPlural = calls.filter((call) => plurals.some(([key]) => messageOf(call).test(key)));
    expect(ofPlural.filter(([, , comma]) => comma !== ",").map(([call]) => call)).toEqual([]);
  });
});

/** What the glossary has another word for, and phrases that nobody says. */
const NOT_IN_CHINESE: [RegExp, string][] = [
  [/核销码|兑换码/, "券码"],
  [/评价|点评/, "笔记, or 评论 below one"],
  [/优惠券/, "代金券"],
  [/店家/, "商家"],
  [/类型/, "分类"],
  [/您/, "你"],
  [/用餐/, "not every shop is a restaurant"],
  [/不回复了/, "取消回复"],
  [/快到期/, "即将超时"],
  [/收下/, "核销"],
];
const NOT_IN_ENGLISH: [RegExp, string][] = [
  [/\breviews?\b/, "note"],
  [/\bcoupons?\b/i, "voucher"],
  [/\bpictures?\b|\bimages?\b/i, "photo"],
  [/\bnotices?\b/i, "notification"],
  [/\bkinds?\b/i, "category"],
  [/e-mail/i, "email"],
  [/\blog ?(?:in|out)\b/i, "sign in, sign out"],
  [/nick name/i, "nickname"],
  [/\b(?:no|some|any|every)body\b/i, "no one, someone, anyone, everyone"],
  [/\b(?:is|are) no such\b/i, "not found"],
  [/\bcannot\b|\b(?:You|We|It) (?:are|is|will)\b/, "the short form: can't, you're"],
  [/\}\s+each\b/, "per person"],
  [/where it came from/i, "original payment method"],
  [/any more\b/i, "no longer"],
];

/** The pages about privacy and terms have their words apart, in both languages at once. */
function legal(locale: LocaleName): [string, string][] {
  const all: Tree = JSON.parse(JSON.stringify({ DATA_USES, OPERATOR, PRIVACY, PURPOSES, TEMPLATE, TERMS })) as Tree;
  return flatten(all).filter(([key]) => key.endsWith(locale));
}

describe("the glossary", () => {
  test.each([
    ["Chinese", [...chinese, ...legal("zh-CN")], NOT_IN_CHINESE],
    ["English", [...english, ...legal("en")], NOT_IN_ENGLISH],
  ] as const)("%s uses its words", (_, messages, rules) => {
    const broken = messages.flatMap(([key, text]) =>
      rules.filter(([pattern]) => pattern.test(text)).map(([, instead]) => `${key}: “${text}”: ${instead}`),
    );
    expect(broken).toEqual([]);
  });

  test("English has no Chinese in it but the name of the other language", () => {
    const han = english.filter(([, text]) => /\p{Script=Han}/u.test(text)).map(([key]) => key);
    expect(han).toEqual(["language.switch", "language.other"]);
  });
});
