// What of a vector tile is drawn, as paths and labels in coordinates of the tile. The layers and kinds are those of Protomaps;
// what is not named here is not drawn: above all no borders.
import { VectorTile, type VectorTileFeature } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";

/** How far the coordinates in a tile go, whatever its file counts. */
export const EXTENT = 4096;

export type RoadRank = "path" | "minor" | "main" | "fast";
export type Surface = "park" | "water" | "building";
export type LabelKind = "district" | "area" | "water" | "park" | "spot" | "road";

export interface Label {
  kind: LabelKind;
  /** In Chinese and in English. */
  name: readonly [zh: string, en: string];
  x: number;
  y: number;
  /** Those with the least are placed first. */
  order: number;
  /** Of a road: how it runs there, and how far it is straight. */
  angle?: number;
  length?: number;
}

export interface StreetTile {
  surfaces: Record<Surface, Path2D>;
  streams: Path2D;
  rails: Path2D;
  roads: Record<RoadRank, Path2D>;
  labels: Label[];
}

const ROADS: Record<string, RoadRank | undefined> = {
  highway: "fast",
  major_road: "main",
  // Of builds before version 4.
  medium_road: "main",
  minor_road: "minor",
  path: "path",
};
const PARKS = new Set([
  "park", "forest", "wood", "garden", "grass", "grassland", "meadow", "nature_reserve", "national_park", "cemetery", "golf_course",
  "recreation_ground", "village_green", "zoo", "scrub", "pitch", "playground", "orchard", "wetland",
]); // prettier-ignore
const STREAMS = new Set(["river", "stream", "canal"]);
const DISTRICTS = new Set(["locality", "borough", "macrohood"]);
const AREAS = new Set(["neighbourhood", "suburb", "village", "hamlet"]);
const PARK_SPOTS = new Set(["park", "garden", "nature_reserve", "zoo", "forest"]);
const SPOTS = new Set(["station", "train_station", "aerodrome", "university", "hospital", "museum", "attraction", "stadium", "mall"]);
const ROAD_ORDER: Record<RoadRank, number> = { fast: 60, main: 61, minor: 62, path: 63 };
/** A street that turns by less goes on straight, for its name. */
const STRAIGHT_RADIANS = 0.2;

type Properties = VectorTileFeature["properties"];
type Spot = readonly [x: number, y: number];

export function decodeTile(data: ArrayBuffer): StreetTile {
  const found: StreetTile = {
    surfaces: { park: new Path2D(), water: new Path2D(), building: new Path2D() },
    streams: new Path2D(),
    rails: new Path2D(),
    roads: { path: new Path2D(), minor: new Path2D(), main: new Path2D(), fast: new Path2D() },
    labels: [],
  };
  const { layers } = new VectorTile(new PbfReader(new Uint8Array(data)));
  for (const [name, read] of Object.entries(READERS)) {
    const layer = layers[name];
    for (let at = 0; layer !== undefined && at < layer.length; at++) read(found, layer.feature(at));
  }
  found.labels.sort((one, other) => one.order - other.order);
  return found;
}

const READERS: Record<string, (found: StreetTile, feature: VectorTileFeature) => void> = {
  landcover: readGreen,
  landuse: readGreen,
  water: readWater,
  buildings: (found, feature) => {
    if (feature.type === POLYGON) trace(found.surfaces.building, linesOf(feature), true);
  },
  roads: readRoad,
  places: readPlace,
  pois: readSpot,
};

const [POINT, LINE, POLYGON] = [1, 2, 3];

function readGreen(found: StreetTile, feature: VectorTileFeature): void {
  if (feature.type === POLYGON && PARKS.has(kindOf(feature))) trace(found.surfaces.park, linesOf(feature), true);
}

function readWater(found: StreetTile, feature: VectorTileFeature): void {
  const lines = linesOf(feature);
  if (feature.type === POLYGON) trace(found.surfaces.water, lines, true);
  if (feature.type === LINE && STREAMS.has(kindOf(feature))) trace(found.streams, lines, false);
  if (feature.type === POINT) addLabel(found, "water", 40, feature.properties, lines[0]?.[0]);
}

function readRoad(found: StreetTile, feature: VectorTileFeature): void {
  if (feature.type !== LINE) return;
  const kind = kindOf(feature);
  if (kind === "rail") {
    // Below the ground there is nothing to see.
    if (feature.properties["is_tunnel"] !== true) trace(found.rails, linesOf(feature), false);
    return;
  }
  const rank = ROADS[kind];
  if (rank === undefined) return;
  const lines = linesOf(feature);
  trace(found.roads[rank], lines, false);
  const straight = longestStraight(lines);
  if (straight !== undefined && rank !== "path") {
    const { at, angle, length } = straight;
    addLabel(found, "road", ROAD_ORDER[rank], feature.properties, at, { angle, length });
  }
}

function readPlace(found: StreetTile, feature: VectorTileFeature): void {
  const kind = kindOf(feature);
  const rank = Number(feature.properties["population_rank"] ?? 0);
  const at = linesOf(feature)[0]?.[0];
  if (DISTRICTS.has(kind)) addLabel(found, "district", 20 - rank, feature.properties, at);
  else if (AREAS.has(kind)) addLabel(found, "area", 30, feature.properties, at);
}

function readSpot(found: StreetTile, feature: VectorTileFeature): void {
  const kind = kindOf(feature);
  const at = linesOf(feature)[0]?.[0];
  if (PARK_SPOTS.has(kind)) addLabel(found, "park", 50, feature.properties, at);
  else if (SPOTS.has(kind)) addLabel(found, "spot", 55, feature.properties, at);
}

function kindOf({ properties }: VectorTileFeature): string {
  return String(properties["kind"] ?? "");
}

/** In Chinese and in English; the local name where the file has no other. */
function nameOf(properties: Properties): readonly [string, string] | undefined {
  const first = (...keys: string[]) => keys.map((key) => properties[key]).find((name) => typeof name === "string" && name !== "");
  const zh = first("name:zh-Hans", "name:zh", "name", "name:zh-Hant", "name:en");
  const en = first("name:en", "name");
  return zh === undefined || en === undefined ? undefined : [String(zh), String(en)];
}

function addLabel(found: StreetTile, kind: LabelKind, order: number, properties: Properties, at?: Spot, line?: { angle: number; length: number }): void {
  const name = nameOf(properties);
  if (at === undefined || name === undefined) return;
  const [x, y] = at;
  // The rim of a tile is in its neighbour, too.
  if (x >= 0 && y >= 0 && x < EXTENT && y < EXTENT) found.labels.push({ kind, order, name, x, y, ...line });
}

function linesOf(feature: VectorTileFeature): Spot[][] {
  const scale = EXTENT / feature.extent;
  return feature.loadGeometry().map((line) => line.map(({ x, y }) => [x * scale, y * scale]));
}

function trace(path: Path2D, lines: readonly (readonly Spot[])[], isClosed: boolean): void {
  for (const line of lines) {
    line.forEach(([x, y], at) => (at === 0 ? path.moveTo(x, y) : path.lineTo(x, y)));
    if (isClosed) path.closePath();
  }
}

/** The middle of the longest part of the lines that a name can stand along. */
function longestStraight(lines: readonly (readonly Spot[])[]) {
  let best: { at: Spot; angle: number; length: number } | undefined;
  for (const line of lines) {
    let start = line[0];
    let before: number | undefined;
    line.forEach((spot, at) => {
      const last = line[at - 1];
      if (last === undefined || start === undefined) return;
      const heading = Math.atan2(spot[1] - last[1], spot[0] - last[0]);
      if (before !== undefined && Math.abs(turn(heading, before)) > STRAIGHT_RADIANS) {
        start = last;
        before = undefined;
      }
      before ??= heading;
      const length = Math.hypot(spot[0] - start[0], spot[1] - start[1]);
      if (length > (best?.length ?? 0)) {
        const angle = Math.atan2(spot[1] - start[1], spot[0] - start[0]);
        best = { at: [(start[0] + spot[0]) / 2, (start[1] + spot[1]) / 2], angle, length };
      }
    });
  }
  return best;
}

/** Between two headings, from -π to π. */
function turn(one: number, other: number): number {
  const difference = one - other;
  return difference - 2 * Math.PI * Math.round(difference / (2 * Math.PI));
}
