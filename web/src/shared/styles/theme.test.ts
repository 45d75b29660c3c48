import { expect, test } from "vitest";
import styles from "./theme.css?raw";

/** WCAG AA for text of ordinary size. */
const ENOUGH = 4.5;

function colorsOf(selector: string): Map<string, string> {
  const block = styles.slice(styles.indexOf(`${selector} {`)).split("}")[0] ?? "";
  return new Map([...block.matchAll(/--td-([\w-]+): (#[0-9a-f]{3,6});/g)].map(([, name = "", hex = ""]) => [name, hex]));
}

function luminance(hex: string): number {
  const full = hex.length === 4 ? hex.replace(/[0-9a-f]/g, "$&$&") : hex;
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(full.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

const light = colorsOf(":root");
const themes = { light, dark: new Map([...light, ...colorsOf(":root.dark")]) };

const PAIRS = [
  ...["text", "text-2", "brand-ink", "danger"].flatMap((ink) => ["bg", "surface"].map((paper) => [ink, paper])),
  ["text", "surface-2"],
  ["text-2", "surface-2"],
  ["text-3", "surface"],
  ["brand-ink", "brand-soft"],
  ["brand-ink", "raised"],
  ["text", "brand-soft"],
  ["good", "good-soft"],
];

test.each(Object.entries(themes))("text has enough contrast on every surface, in the %s theme", (_, colors) => {
  for (const [ink = "", paper = ""] of PAIRS) {
    const ratio = contrast(colors.get(ink) ?? "", colors.get(paper) ?? "");
    expect(ratio, `${ink} on ${paper}`).toBeGreaterThanOrEqual(ENOUGH);
  }
  expect(contrast("#fff", colors.get("brand") ?? ""), "white on brand").toBeGreaterThanOrEqual(ENOUGH);
});
