// How long a text is to the server, for counters and limits.

/** Characters as the server counts them: code points, not UTF-16 units. */
export function lengthOf(text: string): number {
  return [...text].length;
}
