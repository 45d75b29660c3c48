// What the service worker does with a request. Invariants: only the app's own files are ever served from the cache,
// never /api and never a picture; the cached page and the cached scripts are of one build, so that a page opened offline
// is complete; all other requests are left to the browser.

/** One build of the app: the files that open it without a network, and a name that changes with any of them. */
export interface Build {
  version: string;
  files: readonly string[];
}

type Kind = "page" | "asset" | "file" | "other";

const CACHE_PREFIX = "tandian-shell-";
/** Every path of the app is this page; it decides itself what to show. */
const PAGE = "/index.html";
const ASSETS = "/assets/";
/** A slower network counts as none: the cached page opens and shows what it cannot load. */
const PAGE_TIMEOUT_MS = 4_000;
/** Paths that belong to the server alone. A page may be opened at any other. */
const SERVER_PATHS = ["/api/", "/imgs/", "/cashier/", "/tiles/"];

export function cacheNameOf(build: Build): string {
  return CACHE_PREFIX + build.version;
}

export function kindOf(request: Pick<Request, "method" | "mode" | "url">, origin: string, build: Build): Kind {
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== origin) return "other";
  if (SERVER_PATHS.some((prefix) => url.pathname.startsWith(prefix))) return "other";
  if (request.mode === "navigate") return "page";
  if (url.pathname.startsWith(ASSETS)) return "asset";
  return build.files.includes(url.pathname) ? "file" : "other";
}

/** Fetches the whole build, or fails as a whole: then the build before stays active. */
export async function install(caches: CacheStorage, build: Build): Promise<void> {
  const cache = await caches.open(cacheNameOf(build));
  await cache.addAll(build.files.map(freshRequest));
}

/** Hashed files may come from the browser's own cache, where the first visit has just put them. */
function freshRequest(file: string): Request {
  const address = new URL(file, self.location.origin);
  return new Request(address, { cache: file.startsWith(ASSETS) ? "default" : "reload" });
}

/** Called when no page of an older build is open any more. */
export async function deleteOlderCaches(caches: CacheStorage, build: Build): Promise<void> {
  const names = await caches.keys();
  const older = names.filter((name) => name.startsWith(CACHE_PREFIX) && name !== cacheNameOf(build));
  await Promise.all(older.map((name) => caches.delete(name)));
}

export async function respond(kind: Exclude<Kind, "other">, request: Request, cache: Cache): Promise<Response> {
  if (kind === "asset") return cachedAsset(request, cache);
  const key = kind === "page" ? PAGE : request;
  return fresh(request, kind === "page" ? AbortSignal.timeout(PAGE_TIMEOUT_MS) : null).catch(async (cause: unknown) => {
    const found = await cache.match(key);
    if (found === undefined) throw cause;
    return found;
  });
}

/** An asset's name has a hash of its content, so a cached one is never stale. */
async function cachedAsset(request: Request, cache: Cache): Promise<Response> {
  const found = await cache.match(request);
  if (found !== undefined) return found;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone());
  return response;
}

/** A 5xx counts as no reply: the app explains it better than a proxy's page. */
async function fresh(request: Request, signal: AbortSignal | null): Promise<Response> {
  const response = await fetch(request, signal === null ? {} : { signal });
  if (response.status >= 500) throw new Error(`${response.status} from the server`);
  return response;
}
