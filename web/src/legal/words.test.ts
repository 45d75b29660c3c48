import { describe, expect, test } from "vitest";
import { DATA_USES, filled, keptText, PRIVACY, PURPOSES, TERMS, waitText, type Words } from "./words";

const paragraphs: Words[] = [...PRIVACY, ...TERMS].flatMap(({ title, paragraphs: texts }) => [title, ...texts]);

describe("the words of privacy and terms", () => {
  test("are there in both languages, and no English has Chinese in it", () => {
    const purposes = Object.values(PURPOSES).flatMap(({ title, text }) => [title, text]);
    for (const words of [...paragraphs, ...purposes, ...Object.values(DATA_USES.remains)]) {
      expect(words["zh-CN"]).toMatch(/\p{Script=Han}/u);
      expect(words.en).toMatch(/\w/);
      expect(words.en).not.toMatch(/\p{Script=Han}/u);
    }
  });

  test("name the same numbers in both, all of which a page gives", () => {
    const named = (text: string) => [...text.matchAll(/\{(\w+)\}/gu)].map(([, name]) => name).sort();
    for (const words of paragraphs) expect(named(words.en)).toEqual(named(words["zh-CN"]));
    const all = new Set(paragraphs.flatMap(({ en }) => named(en)));
    expect([...all].sort()).toEqual(["device", "grace", "session", "wait"]);
    expect(filled("{grace} and {grace}", { grace: 7 })).toBe("7 and 7");
  });

  test("say how long in the site's own numbers", () => {
    const kept = [{ until: "days" as const, days: 180 }, { until: "books" as const }];
    expect(keptText(kept, "zh-CN")).toBe("视具体内容：180 天，或长期保存（法律要求保留账目）");
    expect(keptText(kept, "en")).toBe("180 days, or for good (the law requires books), depending on which part of it");
    expect([900, 60, 45].map((secs) => waitText(secs, "en"))).toEqual(["15 minutes", "1 minute", "45 seconds"]);
    expect(waitText(900, "zh-CN")).toBe("15 分钟");
  });
});
