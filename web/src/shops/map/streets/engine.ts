// What reads and paints streets, in one chunk that only a map with a file of streets loads.
export { paint, paletteOf } from "./paint";
export { openStreets } from "./source";
