/** Longer than most replies take, shorter than people wait at a counter. A network that is slower counts as none. */
export const PATIENCE_MS = 2_000;
