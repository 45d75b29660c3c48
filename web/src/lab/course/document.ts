// The course page as a document of the repository: `docs/guide/course.md` and `course.zh-CN.md`.
import { COURSE, type CourseLanguage, type CourseRow } from "./rows.ts";

/** The folders of the experiments; everything else of the lab is a version, whose file has its name. */
const EXPERIMENTS: Record<string, string | undefined> = {
  avalanche: "crates/lab/src/avalanche",
  caches: "crates/lab/src/caches",
  "double-writes": "crates/lab/src/double_writes",
  locks: "crates/lab/src/lock_kinds",
  replicas: "crates/lab/src/replicas",
  sessions: "crates/lab/src/sessions",
  limits: "crates/lab/src/limits",
};

const WORDS = {
  en: {
    title: "What you built, what we did instead, and why",
    other: "[中文](course.zh-CN.md)",
    lead: "For those who took the hm-dianping course or read its notes: one row per chapter. The site shows this page at `/lab/course`; the schedules that break each version are played at `/lab` and told in [the lab's guide](lab.md).",
    made: "<!-- Made from web/src/lab/course/rows.ts by `npm --prefix web run course`; a test compares them. -->",
    head: "| chapter | what you built | what we did instead | why | look |",
    lab: "lab",
  },
  "zh-CN": {
    title: "你写的是什么，我们换成了什么，为什么",
    other: "[English](course.md)",
    lead: "写给学过黑马点评、或者读过它的笔记的人：一章一行。网站的 `/lab/course` 页就是这张表；每个版本栽在哪个时序上，可以在 `/lab` 播放，也写在[实验室指南](lab.zh-CN.md)里。",
    made: "<!-- 由 `npm --prefix web run course` 从 web/src/lab/course/rows.ts 生成，有测试比对。 -->",
    head: "| 章节 | 你写的 | 我们换成 | 为什么 | 去看 |",
    lab: "实验室",
  },
};

/** Where a version or an experiment of the lab is in the repository. */
export function labPath(id: string): string {
  return EXPERIMENTS[id] ?? `crates/lab/src/versions/${id.replaceAll("-", "_")}.rs`;
}

/** The same document in the reader's language, where there is one. */
export function readPath(path: string, locale: CourseLanguage): string {
  const translated = ["guide/lab.md", "guide/promises.md", "guide/operations.md"];
  return locale === "zh-CN" && translated.includes(path) ? path.replace(".md", ".zh-CN.md") : path;
}

export function courseDocument(locale: CourseLanguage): string {
  const words = WORDS[locale];
  const lines = [`# ${words.title}`, words.other, "", words.made, "", words.lead];
  for (const part of COURSE) {
    lines.push("", `## ${part.title[locale]}`, words.head, "|---|---|---|---|---|", ...part.rows.map((row) => rowLine(row, locale)));
  }
  return `${lines.join("\n")}\n`;
}

function rowLine(row: CourseRow, locale: CourseLanguage): string {
  const look = [
    ...row.code.map((path) => `[\`${nameOf(path)}\`](../../${path})`),
    ...row.lab.map((id) => `[${WORDS[locale].lab}: ${id}](../../${labPath(id)})`),
    ...row.read.map((path) => `[${titleOf(path)}](${relative(readPath(path, locale))})`),
  ];
  const cells = [row.chapter[locale], row.built[locale], row.instead[locale], row.why[locale], look.join(" · ")];
  return `| ${cells.join(" | ")} |`;
}

function nameOf(path: string): string {
  return path.replace("crates/", "").replace("/src/", "/");
}

function titleOf(path: string): string {
  const adr = /^adr\/(\d{4})-/.exec(path);
  if (adr) return `ADR ${adr[1]}`;
  return path.replace("guide/", "").replace(/\.md(#.*)?$/, "");
}

/** From `docs/guide`. */
function relative(path: string): string {
  return path.startsWith("guide/") ? path.replace("guide/", "") : `../${path}`;
}
