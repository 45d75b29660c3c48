import { expect, test } from "vitest";
import { applyLocale } from "@/shared/i18n/i18n";
import { ok, serve, withSetup } from "@/shared/testing";
import { useSiteStore } from "@/shared/site/siteStore";
import { useSiteName } from "./useSiteName";

async function named(name: string) {
  serve({ "GET /api/site": ok({ name, contacts: ["phone"] }) });
  const { result } = await withSetup(() => ({ name: useSiteName(), store: useSiteStore() }));
  await result.store.load();
  expect(result.store.site?.name).toBe(name);
  return result.name;
}

test("the default name is translated", async () => {
  const name = await named("探店");
  expect(name.value).toBe("探店");
  await applyLocale("en");
  expect(name.value).toBe("Tandian");
});

test("a name that the operator gave is the same in every language", async () => {
  const name = await named("味道杭州");
  await applyLocale("en");
  expect(name.value).toBe("味道杭州");
});
