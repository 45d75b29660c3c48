// Texts of notes and comments: their limits and line breaks. The server stores plain text with `<br>`, which clients of the
// original render; here line breaks are newlines.

/** The widths of their columns. */
export const TITLE_MAX = 255;
export const CONTENT_MAX = 2048;
export const COMMENT_MAX = 255;

export function linesOf(content: string): string {
  return content.replace(/<br\s*\/?>/gi, "\n");
}

export function contentOf(lines: string): string {
  return lines.trim().replace(/\r?\n/g, "<br>");
}
