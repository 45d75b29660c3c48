import { flushPromises, mount } from "@vue/test-utils";
import { afterEach, expect, test, vi } from "vitest";
import { ok, plugins, refusal, serve } from "@/shared/testing";
import ExportCard from "./ExportCard.vue";

afterEach(() => vi.unstubAllGlobals());

const DATA = { site: "探店", exportedAt: "2026-11-15T08:00:00Z", userId: 7, tables: { tb_user: [] } };

test("an old sign-in takes a code, and the file is named after the account and the day", async () => {
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  URL.createObjectURL = () => "blob:data";
  URL.revokeObjectURL = () => undefined;
  let tries = 0;
  const requests = serve({
    "POST /api/user/export": () => ((tries += 1) === 1 ? refusal("confirmation_needed", "请先获取验证码") : ok(DATA)),
  });
  const it = mount(ExportCard, { global: { plugins: await plugins() } });
  const submit = async () => {
    await it.get("form").trigger("submit");
    await flushPromises();
  };
  expect(it.find("[data-test=code]").exists()).toBe(false);
  await submit();
  expect(saved).toEqual([]);
  await it.get("[data-test=code]").setValue("123456");
  await submit();
  expect(requests.map((request) => request.body)).toEqual([{}, { code: "123456" }]);
  expect(saved).toEqual(["tandian-7-2026-11-15.json"]);
  expect(it.find("[data-test=code]").exists()).toBe(false);
});
