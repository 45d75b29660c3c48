import { expect, test } from "vitest";
import { tokenAt } from "./typedToken";

/** What is typed at the bar. */
function typed(text: string) {
  const token = tokenAt(text.replace("|", ""), text.indexOf("|"));
  return token && `${token.kind} ${token.from} ${token.typed}`;
}

test("a name is typed after its sign", () => {
  expect(typed("和@小|")).toBe("person 1 小");
  expect(typed("@|")).toBe("person 0 ");
  expect(typed("@an|na 去")).toBe("person 0 an");
  expect(typed("一\n@小|")).toBe("person 2 小");
  for (const text of ["@小 |", "me@x|", "小|", "@小\n|", "|@小"]) expect(typed(text)).toBeNull();
});

test("a topic is typed after a sign that closes none", () => {
  expect(typed("去#西|")).toBe("topic 1 西");
  expect(typed("#西湖# 和 #|")).toBe("topic 7 ");
  expect(typed("#a #b|")).toBe("topic 3 b");
  expect(typed("#一#二#|")).toBe("topic 4 ");
  for (const text of ["#西湖#|", "#西湖# 和|", "#西湖 |", "C#|", "#西，|"]) expect(typed(text)).toBeNull();
});
