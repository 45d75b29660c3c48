// The operator's own document as blocks: headings (`# `, `## `, `### `), lists (`- ` or `* `) and paragraphs, which empty lines
// set apart. Everything else is text, markup included: blocks are shown by interpolation, so nothing in them is ever HTML.
export type Block =
  | { kind: "heading"; at: number; level: 2 | 3; text: string }
  | { kind: "list"; at: number; items: Item[] }
  | { kind: "paragraph"; at: number; text: string };

/** `at` is the number of the line, by which blocks and items are told apart. */
export interface Item {
  at: number;
  text: string;
}

const HEADING = /^(#{1,3})\s+(\S.*)$/u;
const ITEM = /^[-*]\s+(\S.*)$/u;

export function blocksOf(document: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  document.split(/\r\n|\r|\n/u).forEach((raw, at) => {
    const line = raw.trim();
    const heading = HEADING.exec(line);
    const item = ITEM.exec(line)?.[1];
    if (line === "") {
      open = undefined;
    } else if (heading) {
      blocks.push({ kind: "heading", at, level: heading[1] === "#" ? 2 : 3, text: heading[2] ?? "" });
      open = undefined;
    } else if (item !== undefined) {
      if (open?.kind === "list") open.items.push({ at, text: item });
      else blocks.push((open = { kind: "list", at, items: [{ at, text: item }] }));
    } else if (open === undefined) {
      blocks.push((open = { kind: "paragraph", at, text: line }));
    } else {
      appendLine(open, line);
    }
  });
  return blocks;
}

/** A line that goes on with what is above it. */
function appendLine(open: Block, line: string): void {
  const last = open.kind === "list" ? open.items.at(-1) : open;
  if (last !== undefined && "text" in last) last.text += `\n${line}`;
}

/** Where a contact leads: an e-mail address or a page on the web, and nothing else. */
export function contactLink(contact: string): string | undefined {
  if (/^[^\s@/:?#]+@[^\s@/:?#]+\.[^\s@/:?#]+$/u.test(contact)) return `mailto:${contact}`;
  if (!/^https?:\/\//iu.test(contact) || !URL.canParse(contact)) return undefined;
  return new URL(contact).href;
}
