import { expect, test } from "vitest";
import { applyLocale } from "@/shared/i18n/i18n";
import zhCN from "@/shared/i18n/zh-CN";
import { withSetup } from "@/shared/testing";
import { useTypeName } from "./useTypeName";

const STORED = Object.values(zhCN.shop.type);

test("in Chinese a type has the name that the server has", async () => {
  const { result: typeName } = await withSetup(useTypeName);
  expect(STORED.map(typeName)).toEqual(STORED);
});

test("in English every type of the original has an English name of its own", async () => {
  const { result: typeName } = await withSetup(useTypeName);
  await applyLocale("en");
  const names = STORED.map(typeName);
  expect(names.filter((name) => /\p{Script=Han}/u.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(STORED.length);
  expect(typeName("美食")).toBe("Food");
});

test("a type of the operator's own keeps its name", async () => {
  const { result: typeName } = await withSetup(useTypeName);
  await applyLocale("en");
  expect(typeName("剧本杀")).toBe("剧本杀");
});
