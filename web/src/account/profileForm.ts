// The edit form's values, how they come from an account, and which of them changed.
import type { Info, InfoChanges, Me } from "./api";
import { birthdayProblem, CITY_MAX, INTRODUCE_MAX, nickNameProblem, textProblem } from "./validation";

type GenderChoice = "male" | "female";

/** Hidden from others unless the user shows them. */
export const PRIVATE_FIELDS = ["city", "gender", "birthday"] as const;
type PrivateField = (typeof PRIVATE_FIELDS)[number];

export interface ProfileForm {
  /** The address of the picture; empty for none. */
  icon: string;
  nickName: string;
  city: string;
  introduce: string;
  gender: GenderChoice | null;
  /** `YYYY-MM-DD`, or empty. */
  birthday: string;
  /** The private fields that others may see. */
  shown: PrivateField[];
}

type ProfileProblems = Partial<Record<keyof ProfileForm, string>>;

/** The server's refusals that are about one field, and which. */
const FIELD_OF_CODE: Record<string, keyof ProfileForm> = {
  icon_invalid: "icon",
  nick_name_invalid: "nickName",
  city_invalid: "city",
  introduce_invalid: "introduce",
  birthday_invalid: "birthday",
};

export function fieldOf(code: string): keyof ProfileForm | undefined {
  return FIELD_OF_CODE[code];
}

export function formOf(me: Me, info: Info | null): ProfileForm {
  return {
    icon: me.icon,
    nickName: me.nickName,
    city: info?.city ?? "",
    introduce: info?.introduce ?? "",
    gender: genderChoice(info?.gender),
    birthday: info?.birthday ?? "",
    shown: PRIVATE_FIELDS.filter((field) => info?.shown?.[field] === true),
  };
}

/** On the wire, false is male and true is female. */
function genderChoice(gender: boolean | undefined): GenderChoice | null {
  if (gender === undefined) return null;
  return gender ? "female" : "male";
}

/** Text as it is stored: without blanks around it. */
export function trimmed(form: ProfileForm): ProfileForm {
  return { ...form, nickName: form.nickName.trim(), city: form.city.trim(), introduce: form.introduce.trim() };
}

/** Only what differs is sent, so that two devices editing different fields do not undo each other. */
export function changesOf(before: ProfileForm, edited: ProfileForm): InfoChanges {
  const changes: InfoChanges = {};
  const after = trimmed(edited);
  for (const key of ["icon", "nickName", "city", "introduce"] as const) {
    if (after[key] !== before[key]) changes[key] = after[key];
  }
  if (after.gender !== before.gender && after.gender !== null) changes.gender = after.gender === "female";
  if (after.birthday !== before.birthday && after.birthday !== "") changes.birthday = after.birthday;
  const turned = PRIVATE_FIELDS.filter((field) => after.shown.includes(field) !== before.shown.includes(field));
  if (turned.length > 0) {
    changes.shown = Object.fromEntries(turned.map((field) => [field, after.shown.includes(field)]));
  }
  return changes;
}

export function problemsOf(before: ProfileForm, after: ProfileForm, today: string): ProfileProblems {
  const found: [keyof ProfileForm, string | null][] = [
    ["nickName", nickNameProblem(after.nickName)],
    ["city", textProblem(after.city, CITY_MAX)],
    ["introduce", textProblem(after.introduce, INTRODUCE_MAX)],
    ["birthday", birthdayProblem(after.birthday, today) ?? clearedProblem(before, after)],
  ];
  return Object.fromEntries(found.filter(([, problem]) => problem !== null));
}

/** The API changes a birthday but has no way to remove one. */
function clearedProblem(before: ProfileForm, after: ProfileForm): string | null {
  return before.birthday !== "" && after.birthday === "" ? "edit.problem.birthdayKept" : null;
}
