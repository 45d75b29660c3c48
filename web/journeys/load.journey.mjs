// What opening a page costs a visitor on a slow line, counted: requests and bytes, which do not depend on the machine. A page
// that grows past its bound loads something that it need not, or needs a bound that says why. Of each 128 kB are the app, its words
// in one language included; the rest are mostly pictures.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { launch } from "./browser.mjs";
import { visitSlowly } from "./slowLine.mjs";

const BOUNDS = [
  { name: "home", path: "/", requests: 58, kb: 520 },
  { name: "shop", path: "/shop/4", requests: 32, kb: 300 },
  { name: "list", path: "/shops/1", requests: 33, kb: 410 },
  { name: "map", path: "/map", requests: 29, kb: 325 },
];

let browser;
before(async () => (browser = await launch()));
after(() => browser.close());

for (const { name, path, requests, kb } of BOUNDS) {
  test(`${name} opens with at most ${requests} requests and ${kb} kB, and nothing twice`, async () => {
    const { first } = await visitSlowly(browser, path);
    const twice = first.urls.filter((url, at) => first.urls.indexOf(url) !== at);
    assert.deepEqual(twice, [], "requested more than once");
    const listed = `\n${first.urls.join("\n")}`;
    assert.ok(first.requests <= requests, `${first.requests} requests:${listed}`);
    assert.ok(first.bytes <= kb * 1000, `${Math.round(first.bytes / 1000)} kB:${listed}`);
    assert.ok(first.cls < 0.1, `the layout shifted by ${first.cls}`);
  });
}
