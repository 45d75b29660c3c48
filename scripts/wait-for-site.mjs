// Waits until a page answers 200: node wait-for-site.mjs URL PID. Gives up when the process is gone or the time is over.
import { setTimeout as pause } from "node:timers/promises";

const [url, pid] = process.argv.slice(2);
// Filling in the demo data with an unoptimised binary on a slow machine takes most of it.
const LIMIT_MS = 180_000;
const PAUSE_MS = 100;

const deadline = Date.now() + LIMIT_MS;
while (!(await answers())) {
  if (!isAlive()) fail(`The server ended before ${url} answered.`);
  if (Date.now() > deadline) fail(`${url} did not answer within ${LIMIT_MS / 1000} s.`);
  await pause(PAUSE_MS);
}

async function answers() {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}

function isAlive() {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
