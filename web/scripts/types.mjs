// Writes src/shared/api/schema.ts from the server's committed OpenAPI description; with --check it writes
// nothing and fails when the file no longer matches.
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import openapiTS, { astToString } from "openapi-typescript";

const source = process.env.OPENAPI ?? fileURLToPath(new URL("../../openapi.json", import.meta.url));
const target = new URL("../src/shared/api/schema.ts", import.meta.url);
const header = "// Generated from openapi.json by `npm run types`; do not edit.\n\n";

const description = JSON.parse(await readFile(source, "utf8"));
const generated = header + astToString(await openapiTS(description));

if (process.argv.includes("--check")) {
  const committed = await readFile(target, "utf8");
  if (committed !== generated) {
    console.error("src/shared/api/schema.ts is stale: run `npm run types` in web/ and commit the result.");
    process.exitCode = 1;
  }
} else {
  await writeFile(target, generated);
}
