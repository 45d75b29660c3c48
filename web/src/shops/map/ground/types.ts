// What a city's ground is made of.

/** Longitude and latitude. */
export type Spot = readonly [x: number, y: number];
/** In Chinese and in English. */
export type GroundName = readonly [zh: string, en: string];
/** An elevated road or a ring, an avenue, a street. */
export type RoadRank = "fast" | "main" | "minor";

export interface Ground {
  /** Near to everything, see ../groundPaths.ts. */
  anchor: Spot;
  lakes: readonly (readonly Spot[])[];
  parks: readonly (readonly Spot[])[];
  rivers: readonly { widthMetres: number; line: readonly Spot[] }[];
  roads: readonly { rank: RoadRank; line: readonly Spot[]; isRing?: true }[];
  names: readonly { kind: "district" | "water" | "park"; name: GroundName; at: Spot }[];
}
