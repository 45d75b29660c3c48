import { mount } from "@vue/test-utils";
import { describe, expect, test } from "vitest";
import { blocksOf, contactLink } from "./blocks";
import LegalDocument from "./LegalDocument.vue";

describe("the operator's document", () => {
  test("has headings, paragraphs and lists", () => {
    const text = "# One\nfirst\nline\n\nsecond\n- a\n- b\n  more of b\n\n* c\n### Deep\n#none\n-none";
    expect(blocksOf(text)).toEqual([
      { kind: "heading", at: 0, level: 2, text: "One" },
      { kind: "paragraph", at: 1, text: "first\nline" },
      { kind: "paragraph", at: 4, text: "second" },
      { kind: "list", at: 5, items: [{ at: 5, text: "a" }, { at: 6, text: "b\nmore of b" }] },
      { kind: "list", at: 9, items: [{ at: 9, text: "c" }] },
      { kind: "heading", at: 10, level: 3, text: "Deep" },
      { kind: "paragraph", at: 11, text: "#none\n-none" },
    ]);
  });

  test("of any line ends, and of nothing", () => {
    expect(blocksOf("a\r\n\r\nb\rc").map((block) => block.kind === "paragraph" && block.text)).toEqual(["a", "b\nc"]);
    expect(blocksOf(" \n\n")).toEqual([]);
    expect(blocksOf("#\n-")).toEqual([{ kind: "paragraph", at: 0, text: "#\n-" }]);
  });

  test("is shown as text, whatever is in it", () => {
    const hostile = [
      "# <img src=x onerror=alert(1)>",
      "<script>alert(1)</script> {{ constructor.constructor('alert(1)')() }}",
      "",
      "- <a href=\"javascript:alert(1)\">x</a>",
      "- [x](javascript:alert(1)) &lt;b&gt;",
    ].join("\n");
    const shown = mount(LegalDocument, { props: { text: hostile } });
    expect(shown.element.querySelectorAll("script, img, a, b")).toHaveLength(0);
    for (const part of ["<img src=x onerror=alert(1)>", "<script>alert(1)</script> {{", "[x](javascript:alert(1)) &lt;b&gt;"]) {
      expect(shown.text()).toContain(part);
    }
  });
});

describe("a contact", () => {
  test.each([
    ["help@example.com", "mailto:help@example.com"],
    ["https://example.com/help?a=b", "https://example.com/help?a=b"],
    ["HTTP://example.com", "http://example.com/"],
  ])("%s leads to %s", (contact, link) => {
    expect(contactLink(contact)).toBe(link);
  });

  test.each([
    "0571-00012345",
    "javascript:alert(1)",
    "javascript:alert(1)//@example.com",
    "data:text/html,x",
    "a@b@example.com",
    "help@example.com?subject=x",
    "https://",
    "//example.com",
    "<b>help@example.com</b> or call",
  ])("%s is text", (contact) => {
    expect(contactLink(contact)).toBeUndefined();
  });
});
