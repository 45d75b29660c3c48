// Fails the build when the first visit to the home page would load more JavaScript than we allow.
// It follows the static imports from index.html, and adds the page and the language that are fetched at once.
import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const HOME_LIMIT_KB = 120;
const dist = process.env.DIST ?? fileURLToPath(new URL("../dist/", import.meta.url));
const assets = await readdir(path.join(dist, "assets"));

const html = await readFile(path.join(dist, "index.html"), "utf8");
const pending = [...html.matchAll(/assets\/([\w.-]+\.js)/g)].map((match) => match[1]);
pending.push(...assets.filter((name) => /^(HomePage|zh-CN)-.*\.js$/.test(name)));

const seen = new Map();
while (pending.length > 0) {
  const name = pending.pop();
  if (seen.has(name)) continue;
  const source = await readFile(path.join(dist, "assets", name), "utf8");
  seen.set(name, gzipSync(source).length);
  for (const match of source.matchAll(/(?:from|import)\s*"\.\/([\w.-]+\.js)"/g)) pending.push(match[1]);
}

const totalKb = [...seen.values()].reduce((sum, size) => sum + size, 0) / 1000;
console.log(`home page: ${totalKb.toFixed(1)} kB of JavaScript (gzip) in ${seen.size} files, limit ${HOME_LIMIT_KB} kB`);
if (totalKb > HOME_LIMIT_KB) {
  console.error("The home page has grown too heavy: load what it does not need later.");
  process.exitCode = 1;
}
