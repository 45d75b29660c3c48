// Texts of notes and comments: their bounds, and how lines travel. The server keeps plain text and `<br>`, which pages of any
// age show as a new line; here people read and write lines.

/** The widths of the columns these end up in. */
export const TITLE_MAX = 255;
export const CONTENT_MAX = 2048;
export const COMMENT_MAX = 255;

export function linesOf(content: string): string {
  return content.replace(/<br>/g, "\n");
}

export function contentOf(lines: string): string {
  return lines.trim().replace(/\r?\n/g, "<br>");
}
