// Validation of forms before they are sent. The server validates again; these rules only reply sooner.
// Each function returns the key of a message, or null when the value is valid.
import type { ContactKind } from "@/shared/site/api";
import { lengthOf } from "@/shared/textLength";

/** The widths of their columns. */
export const NICK_NAME_MAX = 32;
export const CITY_MAX = 64;
export const INTRODUCE_MAX = 128;
/** The longest address that mail systems accept (RFC 5321). */
export const EMAIL_MAX = 254;
/** As the server counts them: characters, not bytes. */
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 128;
const EARLIEST_BIRTHDAY = "1900-01-01";

const PHONE = /^1[3-9]\d{9}$/;
const EMAIL = /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/;

/** People paste numbers with spaces, dashes and the country's prefix. */
export function normalizeContact(kind: ContactKind, raw: string): string {
  const trimmed = raw.trim();
  return kind === "phone" ? trimmed.replace(/[\s-]/g, "").replace(/^(\+86|0086)/, "") : trimmed;
}

export function contactProblem(kind: ContactKind, raw: string): string | null {
  const value = normalizeContact(kind, raw);
  if (value === "") return `signIn.problem.${kind}Missing`;
  if (kind === "phone") return PHONE.test(value) ? null : "signIn.problem.phoneInvalid";
  return value.length <= EMAIL_MAX && EMAIL.test(value) ? null : "signIn.problem.emailInvalid";
}

export function codeProblem(code: string, length: number): string | null {
  if (code.trim() === "") return "signIn.problem.codeMissing";
  return code.trim().length === length ? null : "signIn.problem.codeLength";
}

/** A password that somebody types to get in: only that it is there is checked. */
export function typedPasswordProblem(password: string): string | null {
  return password === "" ? "password.problem.missing" : null;
}

export function newPasswordProblem(password: string): string | null {
  if (password === "") return "password.problem.missing";
  const length = lengthOf(password);
  return length >= PASSWORD_MIN && length <= PASSWORD_MAX ? null : "password.problem.length";
}

export function nickNameProblem(nickName: string): string | null {
  if (nickName.trim() === "") return "edit.problem.nickNameMissing";
  return lengthOf(nickName.trim()) <= NICK_NAME_MAX ? null : "edit.problem.tooLong";
}

export function textProblem(text: string, max: number): string | null {
  return lengthOf(text.trim()) <= max ? null : "edit.problem.tooLong";
}

/** `today` is a calendar day, `YYYY-MM-DD`, which sorts as text. */
export function birthdayProblem(birthday: string, today: string): string | null {
  if (birthday === "") return null;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(birthday) || birthday < EARLIEST_BIRTHDAY) return "edit.problem.birthdayInvalid";
  return birthday <= today ? null : "edit.problem.birthdayFuture";
}
