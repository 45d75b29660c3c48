// A crowd that a reader starts: how far it is, and the command that does the same. Pure, so that it is tested without a page.
import type { LabCrowdRun } from "./api";

export function isGoingOn(run: LabCrowdRun): boolean {
  return run.state === "starting" || run.state === "running";
}

/** Clicks with a reply, of two per buyer, in per cent. */
export function crowdProgress(run: LabCrowdRun): number {
  return Math.min(100, Math.round((run.served / (run.buyers * 2)) * 100));
}

/** The same crowd on the reader's machine, without the site. */
export function crowdCommand(version: string, buyers: number, stock: number): string {
  return `cargo run --release -p lab -- crowd ${version} --buyers ${buyers} --stock ${stock}`;
}
