// What is being typed at the caret: the name of a person after `@`, or a topic after `#`.
import { isSign, TOPIC_MAX } from "./textParts";

export interface TypedToken {
  kind: "person" | "topic";
  /** Where its sign is. */
  from: number;
  /** What is typed after the sign. */
  typed: string;
}

const PERSON = /(?:^|[^A-Za-z0-9])([@＠])([^\s@＠#＃]{0,24})$/;
const ENDS_TOPIC = /[\s，。！？、；：]/;
const JOINS = /[A-Za-z0-9/&=]$/;

export function tokenAt(text: string, caret: number): TypedToken | null {
  const begin = text.lastIndexOf("\n", caret - 1) + 1;
  const line = text.slice(begin, caret);
  const typed = PERSON.exec(line)?.[2];
  if (typed !== undefined) return { kind: "person", from: caret - typed.length - 1, typed };
  const sign = openTopic(line);
  return sign === null ? null : { kind: "topic", from: begin + sign, typed: line.slice(sign + 1) };
}

/** The sign of a topic that is not closed and has no end yet. */
function openTopic(line: string): number | null {
  for (let at = 0; at < line.length; at++) {
    if (!isSign(line.charAt(at)) || JOINS.test(line.slice(0, at))) continue;
    const rest = line.slice(at + 1);
    const close = rest.search(/[#＃]/);
    if (close === -1) {
      if (!ENDS_TOPIC.test(rest)) return [...rest].length <= TOPIC_MAX ? at : null;
    } else if (isName(rest.slice(0, close))) {
      at += 1 + close;
    }
  }
  return null;
}

function isName(name: string): boolean {
  return name.trim() === name && [...name].length <= TOPIC_MAX && /[\p{L}\p{N}]/u.test(name);
}
