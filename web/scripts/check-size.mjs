// Fails the build when the first visit to the home page would load more JavaScript than we allow, or in more pieces.
// It follows the static imports from index.html, and adds the page and the language that are fetched at once.
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

/** Two seconds of a slow 4G line are some 300 kB, of which pictures and the API want their share. */
const HOME_LIMIT_KB = 130;
/** Over HTTP/1.1 a browser fetches six files at a time: two rounds. */
const FILES_LIMIT = 12;
const dist = process.env.DIST ?? fileURLToPath(new URL("../dist/", import.meta.url));
const assets = await readdir(path.join(dist, "assets"));

const html = await readFile(path.join(dist, "index.html"), "utf8");
const pending = [...html.matchAll(/assets\/([\w.-]+\.js)/g)].map((match) => match[1]);
pending.push(...assets.filter((name) => /^(HomePage|zh-CN)-.*\.js$/.test(name)));

const seen = new Map([["start.js", gzipSync(await readFile(path.join(dist, "start.js"))).length]]);
while (pending.length > 0) {
  const name = pending.pop();
  if (seen.has(name)) continue;
  const source = await readFile(path.join(dist, "assets", name), "utf8");
  seen.set(name, gzipSync(source).length);
  for (const match of source.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) pending.push(match[1]);
}

const totalKb = [...seen.values()].reduce((sum, size) => sum + size, 0) / 1000;
console.log(
  `home page: ${totalKb.toFixed(1)} kB of JavaScript (gzip) in ${seen.size} files, limits ${HOME_LIMIT_KB} kB and ${FILES_LIMIT} files`,
);
if (totalKb > HOME_LIMIT_KB || seen.size > FILES_LIMIT) {
  console.error("The home page has grown too heavy: load what it does not need later.");
  for (const [name, size] of seen) console.error(`  ${(size / 1000).toFixed(1).padStart(6)} kB  ${name}`);
  process.exitCode = 1;
}
