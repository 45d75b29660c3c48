import { expect, test } from "vitest";
import { changesOf, formOf, problemsOf, type ProfileForm } from "./profileForm";

const ME = { id: 1, nickName: "小满", icon: "", roles: ["user" as const] };
const TODAY = "2026-11-15";
const STORED: ProfileForm = {
  icon: "",
  nickName: "小满",
  city: "杭州",
  introduce: "",
  gender: "female",
  birthday: "1998-05-20",
  shown: ["city"],
};
const INFO = { userId: 1, city: "", introduce: "", fans: 0, followee: 0, notes: 0, credits: 0, level: 0 };

test("a user without a profile starts with an empty form", () => {
  expect(formOf(ME, null)).toEqual({ icon: "", nickName: "小满", city: "", introduce: "", gender: null, birthday: "", shown: [] });
});

test("false on the wire is male and true is female", () => {
  expect(formOf(ME, { ...INFO, gender: false }).gender).toBe("male");
  expect(formOf(ME, { ...INFO, gender: true }).gender).toBe("female");
  expect(changesOf(STORED, { ...STORED, gender: "male" })).toEqual({ gender: false });
});

test("what others see is what was chosen, and only the choice that changed is sent", () => {
  const shown = { city: true, gender: false, birthday: true };
  expect(formOf(ME, { ...INFO, gender: false, shown }).shown).toEqual(["city", "birthday"]);
  expect(changesOf(STORED, { ...STORED, shown: [] })).toEqual({ shown: { city: false } });
  expect(changesOf(STORED, { ...STORED, shown: ["birthday", "city"] })).toEqual({ shown: { birthday: true } });
});

test("only what changed is sent", () => {
  expect(changesOf(STORED, STORED)).toEqual({});
  expect(changesOf(STORED, { ...STORED, city: "上海" })).toEqual({ city: "上海" });
});

test("a new picture is sent, and taking it away is too", () => {
  expect(changesOf(STORED, { ...STORED, icon: "/imgs/a.jpg" })).toEqual({ icon: "/imgs/a.jpg" });
  expect(changesOf({ ...STORED, icon: "/imgs/a.jpg" }, STORED)).toEqual({ icon: "" });
});

test("blanks around a text are no change", () => {
  expect(changesOf(STORED, { ...STORED, nickName: " 小满 " })).toEqual({});
});

test("a text can be emptied", () => {
  expect(changesOf(STORED, { ...STORED, city: "" })).toEqual({ city: "" });
});

test("a birthday can be changed but not removed", () => {
  expect(problemsOf(STORED, { ...STORED, birthday: "" }, TODAY)).toEqual({ birthday: "edit.problem.birthdayKept" });
  expect(problemsOf(STORED, { ...STORED, birthday: "1999-01-01" }, TODAY)).toEqual({});
  expect(problemsOf({ ...STORED, birthday: "" }, { ...STORED, birthday: "" }, TODAY)).toEqual({});
});

test("every field is checked at once", () => {
  const broken = { ...STORED, nickName: "", city: "x".repeat(65), introduce: "x".repeat(129), birthday: "2999-01-01" };
  expect(Object.keys(problemsOf(STORED, broken, TODAY)).sort()).toEqual(["birthday", "city", "introduce", "nickName"]);
});
