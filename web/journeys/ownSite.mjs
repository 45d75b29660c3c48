// A demo site of a journey's own, for what the shared one must not suffer: it can be killed without warning and started
// again on the same folder and port. Stopped, and its folder removed, however the journey ends.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { setTimeout as pause } from "node:timers/promises";

const BINARY = process.env.TANDIAN ?? fileURLToPath(new URL("../../target/debug/tandian", import.meta.url));
/** Filling in the demo data with an unoptimised binary on a slow machine takes most of it. */
const START_LIMIT_MS = 180_000;
const PAUSE_MS = 100;

/** `settings` are environment variables, for what the site must do otherwise than by default. */
export async function openOwnSite(settings = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "tandian-own."));
  const port = await freePort();
  const site = { url: `http://127.0.0.1:${port}`, start, kill, close };
  const env = {
    ...process.env,
    TANDIAN_DATA_DIR: path.join(folder, "data"),
    TANDIAN_HTTP__ADDR: `127.0.0.1:${port}`,
    TANDIAN_METRICS__ADDR: "",
    ...settings,
  };
  let server;

  async function start() {
    server = spawn(BINARY, ["serve", "--demo"], { env, cwd: folder, stdio: "ignore" });
    const deadline = Date.now() + START_LIMIT_MS;
    while (!(await isReady(site.url))) {
      if (server.exitCode !== null || Date.now() > deadline) throw new Error("the site of the journey did not start");
      await pause(PAUSE_MS);
    }
  }

  /** Without warning, as when the power fails. */
  function kill() {
    return end("SIGKILL");
  }

  async function close() {
    await end("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  }

  async function end(signal) {
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, "exit");
    server.kill(signal);
    await ended;
  }

  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return site;
}

async function isReady(url) {
  const response = await fetch(`${url}/readyz`).catch(() => null);
  return response?.ok === true;
}

async function freePort() {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  await once(server, "close");
  return port;
}
