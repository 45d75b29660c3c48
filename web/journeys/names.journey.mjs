// What a screen reader says: every control of every page, as Chromium's accessibility tree has it, has a name that is words,
// in both languages.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { freshPhone, launch, openContext, openPage, settled, VIEWPORTS } from "./browser.mjs";
import { signedInPages, VISITOR_PAGES } from "./pages.mjs";

/** What people operate, by its role in the tree. */
const CONTROLS = new Set(
  "button link textbox searchbox combobox listbox option checkbox radio switch slider spinbutton tab menuitem".split(" "),
);
/** A key of a message that was not found, an address, or nothing that is spoken. */
const NO_WORDS = /^(?:[a-z]\w*(?:\.\w+)+|https?:.*|\/.*|[^\p{L}\p{N}]*)$/u;
const FEWEST_PAGES = 10;

let browser;
let person;
let pages;

before(async () => {
  browser = await launch();
  ({ person, pages } = await signedInPages(browser, freshPhone()));
});
after(() => browser?.close());

for (const locale of ["zh-CN", "en-US"]) {
  test(`every control has a name, in ${locale}`, async (t) => {
    const look = { ...VIEWPORTS.phone, locale };
    const visitor = await openContext(browser, look);
    const signedIn = await openContext(browser, { ...look, storageState: person });
    t.after(() => Promise.all([visitor.close(), signedIn.close()]));
    const found = [...(await listen(visitor, VISITOR_PAGES)), ...(await listen(signedIn, pages))];
    assert.ok(found.length >= FEWEST_PAGES);
    for (const { name, controls } of found) assert.ok(controls.length > 0, `${name} has no controls`);
    const nameless = found.flatMap(({ name, controls }) => controls.filter(isNameless).map((control) => `${name}: ${describe(control)}`));
    assert.deepEqual(nameless, []);
  });
}

test("a dialog takes its name along, and the picture viewer names its buttons", async (t) => {
  const context = await openContext(browser, VIEWPORTS.phone);
  t.after(() => context.close());
  const { page } = await openPage(context);
  await page.goto("/shop/4");
  await settled(page);
  await page.getByRole("group", { name: "图片" }).getByRole("button").first().click();
  await page.getByRole("dialog").waitFor();
  const nodes = await treeOf(page);
  const dialog = nodes.find(({ role }) => role === "dialog");
  assert.ok(dialog?.name, "the viewer has no name");
  assert.deepEqual(nodes.filter((node) => CONTROLS.has(node.role) && isNameless(node)), []);
});

async function listen(context, list) {
  const { page } = await openPage(context);
  const found = [];
  for (const { name, path } of list) {
    await page.goto(path);
    await settled(page);
    found.push({ name, controls: (await treeOf(page)).filter(({ role }) => CONTROLS.has(role)) });
  }
  await page.close();
  return found;
}

async function treeOf(page) {
  const session = await page.context().newCDPSession(page);
  const { nodes } = await session.send("Accessibility.getFullAXTree");
  await session.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description }) => ({ role: role?.value, name: name?.value?.trim() ?? "", description: description?.value ?? "" }));
}

function isNameless({ name }) {
  return NO_WORDS.test(name);
}

function describe({ role, name, description }) {
  return `${role} “${name}” ${description}`.trim();
}
