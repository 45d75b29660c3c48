// A front before the site under test, whose web app a journey can replace as a deployment would: it serves the built app
// from memory, as the server does, and passes everything else on.
import { readdir, readFile } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { BASE_URL } from "./browser.mjs";

const DIST = process.env.DIST ?? fileURLToPath(new URL("../dist/", import.meta.url));
const SERVER_PATHS = ["/api/", "/imgs/"];
const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".woff2": "font/woff2",
  ".webmanifest": "application/manifest+json",
};

/** The files of the built app by their address. */
export async function readDist() {
  const entries = await readdir(DIST, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const read = files.map(async (file) => [`/${path.relative(DIST, file)}`, await readFile(file)]);
  return new Map(await Promise.all(read));
}

/** Listens on a free port; `files` may be exchanged at any time. */
export async function openFront(files, port = 0) {
  const front = { files, url: "", close: () => undefined };
  const server = http.createServer((request, response) => {
    const { pathname } = new URL(request.url, BASE_URL);
    if (SERVER_PATHS.some((prefix) => pathname.startsWith(prefix))) passOn(request, response);
    else serve(front.files, pathname, response);
  });
  await new Promise((resolve) => server.listen(port, "127.0.0.1", resolve));
  front.url = `http://127.0.0.1:${server.address().port}`;
  front.close = () => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  };
  return front;
}

function serve(files, pathname, response) {
  const name = files.has(pathname) ? pathname : path.extname(pathname) === "" ? "/index.html" : undefined;
  if (name === undefined) return response.writeHead(404).end();
  const cache = name.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache";
  response.writeHead(200, { "content-type": TYPES[path.extname(name)], "cache-control": cache }).end(files.get(name));
}

/** With the host it came with: the server compares it with the origin of a write. */
function passOn(request, response) {
  const { method, headers, url } = request;
  const onward = http.request(new URL(url, BASE_URL), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers);
    answer.pipe(response);
  });
  onward.on("error", () => response.destroy());
  response.on("close", () => onward.destroy());
  request.pipe(onward);
}
