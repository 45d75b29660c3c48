// The parts of a note or a comment: plain text, people who are mentioned, topics. Who is meant comes with the text and is
// never guessed from it: a place belongs to the longest name of the list that stands there, by the rules of the server
// (`domain/mention.rs`, `domain/topic.rs`).

export interface Mention {
  userId: number;
  /** As the text has it, without the `@`. */
  name: string;
}

export interface TextPart {
  /** Where it begins. */
  at: number;
  text: string;
  /** Of a person. */
  userId?: number;
  /** Of a topic: its name without the signs. */
  topic?: string;
}

/** The server's limits. */
export const NOTE_MENTIONS_MAX = 10;
export const COMMENT_MENTIONS_MAX = 5;
export const TOPIC_MAX = 20;

const LATIN = /[a-z0-9]/i;
/** Before a `#` that is part of an address, a number or a reference. */
const JOINS = /[a-z0-9/&=]/i;
const WORD = /[\p{L}\p{N}]/u;

export function partsOf(text: string, mentions: readonly Mention[] = [], topics: readonly string[] = []): TextPart[] {
  const parts: TextPart[] = [];
  const found = new Set<Mention>();
  let plain = 0;
  let at = 0;
  while (at < text.length) {
    const part = personAt(text, at, mentions, found) ?? topicAt(text, at, topics);
    if (part === null) {
      at += 1;
      continue;
    }
    if (at > plain) parts.push({ at: plain, text: text.slice(plain, at) });
    parts.push(part);
    at += part.text.length;
    plain = at;
  }
  if (plain < text.length) parts.push({ at: plain, text: text.slice(plain) });
  return parts;
}

/** Those of the people whose name is in the text, each once. */
export function mentionedIn(text: string, people: readonly Mention[]): Mention[] {
  const ids = new Set(partsOf(text, people).map((part) => part.userId));
  return people.filter((person, at) => ids.has(person.userId) && people.findIndex((it) => it.userId === person.userId) === at);
}

export function isMention(stored: unknown): stored is Mention {
  return (
    typeof stored === "object" &&
    stored !== null &&
    "userId" in stored &&
    typeof stored.userId === "number" &&
    "name" in stored &&
    typeof stored.name === "string"
  );
}

function personAt(text: string, at: number, people: readonly Mention[], found: Set<Mention>): TextPart | null {
  if (!/[@＠]/.test(text.charAt(at)) || LATIN.test(text.charAt(at - 1))) return null;
  const named = people.filter(({ name }) => name !== "" && text.startsWith(name, at + 1) && !goesOn(name, text.charAt(at + 1 + name.length)));
  const longest = Math.max(...named.map(({ name }) => name.length));
  const same = named.filter(({ name }) => name.length === longest);
  const meant = same.find((person) => !found.has(person)) ?? same[0];
  if (meant === undefined) return null;
  found.add(meant);
  return { at, text: text.slice(at, at + 1 + longest), userId: meant.userId };
}

/** Whether a Latin word of the name continues after it: `@Ann` is not in `@Anna`. */
function goesOn(name: string, after: string): boolean {
  return LATIN.test(name.slice(-1)) && LATIN.test(after);
}

function topicAt(text: string, at: number, topics: readonly string[]): TextPart | null {
  if (!isSign(text.charAt(at)) || JOINS.test(text.charAt(at - 1))) return null;
  const begin = at + 1;
  const fits = (name: string) => {
    const after = text.charAt(begin + name.length);
    return folded(text.slice(begin, begin + name.length)) === folded(name) && (isSign(after) || !WORD.test(after));
  };
  const named = topics.filter(fits).sort((one, other) => other.length - one.length)[0];
  if (named === undefined) return null;
  const end = begin + named.length;
  return { at, text: text.slice(at, isSign(text.charAt(end)) ? end + 1 : end), topic: text.slice(begin, end) };
}

export function isSign(char: string): boolean {
  return char === "#" || char === "＃";
}

/** Case and width do not count. */
function folded(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
