// Puts a .br and a .gz beside every file of dist that is smaller in one: the server sends them as they are, so that serving
// the app costs no compression, and the files are smaller than compression per request could make them.
import { readFile, readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const TEXTS = /\.(js|css|html|svg|webmanifest)$/;
/** What fits one packet arrives no sooner for being smaller. */
const FROM_BYTES = 1024;
const dist = process.env.DIST ?? fileURLToPath(new URL("../dist/", import.meta.url));

const ENCODINGS = {
  br: (content) =>
    brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gz: (content) => gzipSync(content, { level: constants.Z_BEST_COMPRESSION }),
};

const totals = { plain: 0, br: 0, gz: 0 };
for (const name of await readdir(dist, { recursive: true })) {
  if (!TEXTS.test(name)) continue;
  const content = await readFile(path.join(dist, name));
  if (content.length <= FROM_BYTES) continue;
  totals.plain += content.length;
  for (const [suffix, compress] of Object.entries(ENCODINGS)) {
    const compressed = compress(content);
    totals[suffix] += compressed.length;
    await writeFile(path.join(dist, `${name}.${suffix}`), compressed);
  }
}
const kb = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;
console.log(`compressed: ${kb(totals.plain)} of text, ${kb(totals.gz)} by gzip, ${kb(totals.br)} by brotli`);
