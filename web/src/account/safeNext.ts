// Where to go after signing in. The value comes from the query string and is untrusted: anything but a path of this site
// would make the sign-in page an open redirect.
const HOME = "/";

/** Any origin will do: a value that resolves to another one is not a path of this site. */
const PROBE_ORIGIN = "https://tandian.invalid";

export function safeNext(next: unknown): string {
  if (typeof next !== "string" || !next.startsWith("/") || hasControlOrBackslash(next)) return HOME;
  const resolved = resolve(next);
  if (resolved?.origin !== PROBE_ORIGIN || resolved.pathname.startsWith("//")) return HOME;
  return resolved.pathname + resolved.search + resolved.hash;
}

/** Browsers read a backslash as a slash and drop control characters, which turns `/\evil` into `//evil`. */
function hasControlOrBackslash(text: string): boolean {
  return [...text].some((char) => char === "\\" || char < " " || char === "\u007f");
}

function resolve(path: string): URL | undefined {
  return URL.canParse(path, PROBE_ORIGIN) ? new URL(path, PROBE_ORIGIN) : undefined;
}
