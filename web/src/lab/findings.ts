// How findings of the lab are read: what held, what did not, and how far bars reach. Pure, so that it is tested without a page.
import type { LocaleName } from "@/shared/i18n/i18n";
import type { LabExperiment, LabFinding, LabOutcome, LabVerdict, LabVersion, LabWords } from "./api";

export const HARMS = ["oversold", "duplicates", "lost", "stranded"] as const;
export type Harm = (typeof HARMS)[number];
type Standing = "holds" | "falls" | "untried";

export function wordsIn(words: LabWords, locale: LocaleName): string {
  return words[locale];
}

export function isRight(verdict: LabVerdict): boolean {
  return HARMS.every((harm) => verdict[harm] === 0);
}

export function standingOf(version: LabVersion): Standing {
  if (version.findings.length === 0) return "untried";
  return version.findings.every((finding) => isRight(finding.verdict)) ? "holds" : "falls";
}

export function findingOf(version: LabVersion, attack: string): LabFinding | undefined {
  return version.findings.find((finding) => finding.attack === attack);
}

/** The attack whose schedule says most about a version: the first that does harm, or the first of all. */
export function firstAttack(version: LabVersion): string {
  const harmful = version.findings.find((finding) => !isRight(finding.verdict));
  return (harmful ?? version.findings[0])?.attack ?? "";
}

/** The most harm of each kind that any single attack did. */
export function worstOf(version: LabVersion): Record<Harm, number> {
  const worst = { oversold: 0, duplicates: 0, lost: 0, stranded: 0 };
  for (const { verdict } of version.findings) {
    for (const harm of HARMS) worst[harm] = Math.max(worst[harm], verdict[harm]);
  }
  return worst;
}

/** How the ways of an experiment did in one trial, in the order of the experiment. */
export function outcomesOf(experiment: LabExperiment, trial: string): { way: LabExperiment["ways"][number]; outcome: LabOutcome }[] {
  return experiment.ways.flatMap((way) => way.outcomes.filter((outcome) => outcome.trial === trial).map((outcome) => ({ way, outcome })));
}

/** A way is right if no trial showed it to be wrong; prices are neither. */
export function standingOfWay(outcomes: readonly LabOutcome[]): Standing {
  if (outcomes.length === 0) return "untried";
  return outcomes.some((outcome) => outcome.isRight === false) ? "falls" : "holds";
}

/** Speeds differ by orders of magnitude, so bars grow with the logarithm: a thousandth of the best is where they begin. */
export function barPercent(share: number): number {
  const decades = 3;
  const percent = ((Math.log10(Math.max(share, 1e-9)) + decades) / decades) * 100;
  return Math.min(100, Math.max(2, Math.round(percent)));
}

export function linearPercent(value: number, most: number): number {
  return most <= 0 ? 0 : Math.min(100, Math.round((value / most) * 100));
}
