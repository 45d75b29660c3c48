// Writes start.js: the theme's script and src/start.ts in one file, with the chunks of each page, and makes the page run it
// in place of theme.js. One file, because every request costs on a slow line. It keeps its name and is revalidated, as
// the page is, so both are always of one build.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { build as viteBuild, type Plugin, type Rolldown } from "vite";

type Chunk = Rolldown.OutputChunk;

/** A page in src/router.ts. */
const ROUTE = /path: "(?<path>[^"]+)",\s+name: "[^"]+",\s+component: \(\) => import\("@\/(?<module>[^"]+)"\)/g;

export function startScript(root: string): Plugin {
  return {
    name: "start-script",
    apply: "build",
    transformIndexHtml: (html) => html.replace('src="/theme.js"', 'src="/start.js"'),
    async generateBundle(_options, bundle) {
      const theme = await readFile(path.join(root, "public/theme.js"), "utf8");
      const router = await readFile(path.join(root, "src/router.ts"), "utf8");
      const start = await compiled(root, firstFiles(router, bundle));
      this.emitFile({ type: "asset", fileName: "start.js", source: `${theme}\n${start}` });
    },
  };
}

function firstFiles(router: string, bundle: Rolldown.OutputBundle) {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const loaded = filesOf(chunks, (chunk) => chunk.isEntry);
  const of = (module: string) => {
    const files = filesOf(chunks, (chunk) => chunk.moduleIds.some((id) => id.endsWith(`/src/${module}`)));
    return [...files].filter((file) => !loaded.has(file)).map((file) => `/${file}`);
  };
  const pages = [...router.matchAll(ROUTE)].map(({ groups }) => [patternOf(groups?.["path"] ?? ""), of(groups?.["module"] ?? "")]);
  return { languages: { "zh-CN": of("shared/i18n/zh-CN.ts"), en: of("shared/i18n/en.ts") }, pages };
}

/** Of the chunks and of all that they import. */
function filesOf(chunks: readonly Chunk[], isWanted: (chunk: Chunk) => boolean): Set<string> {
  const files = new Set<string>();
  const pending = chunks.filter(isWanted);
  for (const chunk of pending) {
    if (files.has(chunk.fileName)) continue;
    files.add(chunk.fileName);
    for (const css of chunk.viteMetadata?.importedCss ?? []) files.add(css);
    pending.push(...chunks.filter((other) => chunk.imports.includes(other.fileName)));
  }
  return files;
}

/** `/note/:id(\\d+)` as an expression for the path of a URL. */
export function patternOf(route: string): string {
  return `^${route.replace(/\/$/, "").replace(/:\w+(\([^)]*\))*\*?/g, "[^/]+")}/?$`;
}

async function compiled(root: string, files: object): Promise<string> {
  const result = await viteBuild({
    configFile: false,
    root,
    publicDir: false,
    logLevel: "warn",
    define: { __FIRST_FILES__: JSON.stringify(files) },
    resolve: { alias: { "@": path.join(root, "src") } },
    build: {
      write: false,
      target: "es2022",
      rolldownOptions: { input: path.join(root, "src/startScript.ts"), output: { format: "iife" } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  if (output === undefined || !("output" in output)) throw new Error("start.ts was not compiled");
  return output.output[0].code;
}
