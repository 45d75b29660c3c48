import { describe, expect, test } from "vitest";
import * as rules from "./validation";

describe("phone", () => {
  test.each(["13800000001", " 138 0000 0001 ", "+8613800000001", "138-0000-0001", "19912345678"])("%j is fine", (raw) => {
    expect(rules.contactProblem("phone", raw)).toBeNull();
  });
  test.each(["1380000000", "12800000001", "138000000011", "abc"])("%j is not", (raw) => {
    expect(rules.contactProblem("phone", raw)).toBe("signIn.problem.phoneInvalid");
  });
  test("empty and invalid values have different messages", () => {
    expect(rules.contactProblem("phone", "  ")).toBe("signIn.problem.phoneMissing");
  });
  test("what is sent is the bare number", () => {
    expect(rules.normalizeContact("phone", "+86 138-0000-0001")).toBe("13800000001");
  });
});

describe("email", () => {
  test.each(["a@b.cn", "first.last+tag@mail.example.com"])("%s is fine", (raw) => {
    expect(rules.contactProblem("email", raw)).toBeNull();
  });
  test.each(["a@b", "a b@c.cn", "@b.cn", "a@b..cn", `${"a".repeat(250)}@b.cn`])("%s is not", (raw) => {
    expect(rules.contactProblem("email", raw)).toBe("signIn.problem.emailInvalid");
  });
});

test("a code has exactly the length the site uses", () => {
  expect(rules.codeProblem("123456", 6)).toBeNull();
  expect(rules.codeProblem("12345", 6)).toBe("signIn.problem.codeLength");
  expect(rules.codeProblem(" ", 6)).toBe("signIn.problem.codeMissing");
});

test("a nickname is counted in characters, not in UTF-16 units", () => {
  expect(rules.nickNameProblem("🍜".repeat(rules.NICK_NAME_MAX))).toBeNull();
  expect(rules.nickNameProblem("面".repeat(rules.NICK_NAME_MAX + 1))).toBe("edit.problem.tooLong");
  expect(rules.nickNameProblem(" ")).toBe("edit.problem.nickNameMissing");
});

test("a birthday is a day in the past hundred-odd years, today included", () => {
  expect(rules.birthdayProblem("", "2026-11-15")).toBeNull();
  expect(rules.birthdayProblem("2026-11-15", "2026-11-15")).toBeNull();
  expect(rules.birthdayProblem("2026-11-16", "2026-11-15")).toBe("edit.problem.birthdayFuture");
  expect(rules.birthdayProblem("1899-12-31", "2026-11-15")).toBe("edit.problem.birthdayInvalid");
  expect(rules.birthdayProblem("20000101", "2026-11-15")).toBe("edit.problem.birthdayInvalid");
});

test("a new password has 8 to 128 characters, whatever their bytes", () => {
  for (const password of ["12345678", "密".repeat(8), "密".repeat(128), "        "]) {
    expect(rules.newPasswordProblem(password)).toBeNull();
  }
  expect(rules.newPasswordProblem("")).toBe("password.problem.missing");
  expect(rules.newPasswordProblem("1234567")).toBe("password.problem.length");
  expect(rules.newPasswordProblem("a".repeat(129))).toBe("password.problem.length");
  expect(rules.typedPasswordProblem("1")).toBeNull();
});
