// Writes sw.js next to the app: src/app/worker in one file, with the list of what opens the app without a network.
// The list is what index.html loads, the home page, the pages that work offline and both languages; the version is the hash
// of its names and of the files that carry no hash in theirs, so that any change at all makes a new worker.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { build as viteBuild, type Plugin, type Rolldown } from "vite";

/** Modules that are imported when the app starts, or may be: their chunks are needed without a network. A voucher is used
 * and a note is written where there is none, so their pages are among them. */
const STARTING = [/home\/HomePage\.vue$/, /orders\/Orders?Page\.vue$/, /notes\/publish\/PublishPage\.vue$/, /i18n\/(en|zh-CN)\.ts$/];
/** Files of public/ that a page requests by name. */
const NAMED = ["index.html", "start.js", "favicon.svg", "manifest.webmanifest"];

export function serviceWorker(root: string): Plugin {
  return {
    name: "service-worker",
    apply: "build",
    async writeBundle(options, bundle) {
      const outDir = options.dir ?? path.join(root, "dist");
      const files = [...NAMED, ...startingFiles(bundle)].sort();
      await viteBuild(workerBuild(root, outDir, { version: await versionOf(outDir, files), files: files.map(addressOf) }));
    },
  };
}

function workerBuild(root: string, outDir: string, build: { version: string; files: string[] }) {
  return {
    configFile: false as const,
    root,
    publicDir: false as const,
    logLevel: "warn" as const,
    define: { __BUILD__: JSON.stringify(build) },
    build: {
      outDir,
      emptyOutDir: false,
      target: "es2022",
      rolldownOptions: {
        input: path.join(root, "src/app/worker/main.ts"),
        output: { format: "iife" as const, entryFileNames: "sw.js" },
      },
    },
  };
}

function startingFiles(bundle: Rolldown.OutputBundle): Set<string> {
  const files = new Set<string>();
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const pending = chunks.filter((chunk) => chunk.isEntry || chunk.moduleIds.some(isStarting));
  for (const chunk of pending) {
    if (files.has(chunk.fileName)) continue;
    files.add(chunk.fileName);
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
    pending.push(...chunks.filter((other) => chunk.imports.includes(other.fileName)));
  }
  return files;
}

function isStarting(moduleId: string): boolean {
  return STARTING.some((pattern) => pattern.test(moduleId));
}

async function versionOf(outDir: string, files: string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file).update(NAMED.includes(file) ? await readFile(path.join(outDir, file)) : "");
  return hash.digest("hex").slice(0, 16);
}

function addressOf(file: string): string {
  return `/${file}`;
}
