// The rules of a voucher, one a line. Rows of the original separate them by a backslash and an n.
export function rulesOf(rules: string | undefined): string[] {
  return (rules ?? "").split(/\r?\n|\\n/).filter((rule) => rule.trim() !== "");
}
