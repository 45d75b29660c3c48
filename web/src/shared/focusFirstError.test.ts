import { afterEach, expect, test, vi } from "vitest";
import { focusFirstError } from "./focusFirstError";

afterEach(() => document.body.replaceChildren());

function formOf(...invalid: boolean[]): HTMLFormElement {
  const form = document.createElement("form");
  for (const [at, isInvalid] of invalid.entries()) {
    const input = document.createElement("input");
    input.name = `field-${at}`;
    input.setAttribute("aria-invalid", String(isInvalid));
    input.scrollIntoView = vi.fn();
    form.append(input);
  }
  document.body.append(form);
  return form;
}

test("the first wrong field gets the focus and comes into view", async () => {
  const form = formOf(false, true, true);
  expect(await focusFirstError(form)).toBe(true);
  const field = document.activeElement as HTMLInputElement;
  expect(field.name).toBe("field-1");
  expect(field.scrollIntoView).toHaveBeenCalledOnce();
});

test("a form without errors keeps the focus where it is", async () => {
  expect(await focusFirstError(formOf(false))).toBe(false);
  expect(document.activeElement).toBe(document.body);
  expect(await focusFirstError(null)).toBe(false);
});
