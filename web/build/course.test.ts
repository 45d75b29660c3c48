// Follows every link of the course page, and compares the page with its documents. It reads the repository, so it is no part
// of the web app.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { courseDocument, labPath, readPath } from "../src/lab/course/document.ts";
import { COURSE } from "../src/lab/course/rows.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const ROWS = COURSE.flatMap((part) => part.rows);

function isInRepository(file: string): boolean {
  return existsSync(path.join(ROOT, file));
}

function textOf(file: string): string {
  return readFileSync(path.join(ROOT, file), "utf8");
}

function headingIds(text: string): string[] {
  const headings = text.split("\n").filter((line) => /^#+ /.test(line));
  return headings.map((line) =>
    line
      .replace(/^#+ /, "")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} -]/gu, "")
      .replaceAll(" ", "-"),
  );
}

test("every link of the course leads to something", () => {
  const report = JSON.parse(textOf("crates/lab/report.json")) as Record<"versions" | "experiments", { id: string }[]>;
  const inLab = new Set([...report.versions, ...report.experiments].map(({ id }) => id));
  for (const row of ROWS) {
    for (const file of row.code) expect(isInRepository(file), `${row.id}: ${file}`).toBe(true);
    for (const id of row.lab) {
      expect(inLab.has(id), `${row.id}: ${id}`).toBe(true);
      expect(isInRepository(labPath(id)), `${row.id}: ${labPath(id)}`).toBe(true);
    }
    for (const locale of ["en", "zh-CN"] as const) {
      for (const read of row.read) {
        const [file = "", anchor] = readPath(read, locale).split("#");
        expect(isInRepository(`docs/${file}`), `${row.id}: ${file}`).toBe(true);
        if (anchor) expect(headingIds(textOf(`docs/${file}`)), `${row.id}: ${read}`).toContain(anchor);
      }
    }
  }
});

test("every chapter says what was built, what is done instead and why, in both languages", () => {
  expect(new Set(ROWS.map(({ id }) => id)).size).toBe(ROWS.length);
  for (const row of ROWS) {
    expect(row.code.length, row.id).toBeGreaterThan(0);
    expect(row.read.length, row.id).toBeGreaterThan(0);
    for (const words of [row.chapter, row.built, row.instead, row.why]) {
      expect(words.en.trim(), row.id).not.toBe("");
      expect(words["zh-CN"], row.id).toMatch(/[\u4e00-\u9fff]/);
      expect(words.en, row.id).not.toMatch(/[\u4e00-\u9fff]|\|/);
    }
  }
});

test.each([
  ["en", "docs/guide/course.md"],
  ["zh-CN", "docs/guide/course.zh-CN.md"],
] as const)("the document in %s is made of the same rows: npm --prefix web run course", (locale, file) => {
  if (process.env["WRITE_COURSE"]) writeFileSync(path.join(ROOT, file), courseDocument(locale));
  expect(textOf(file)).toBe(courseDocument(locale));
});
