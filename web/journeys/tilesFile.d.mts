export interface TestFeature {
  layer: string;
  type: "point" | "line" | "polygon";
  properties: Record<string, string | number | boolean>;
  points: readonly (readonly [lon: number, lat: number])[];
}

export function makeTilesFile(contents: {
  minZoom: number;
  maxZoom: number;
  bounds: readonly [west: number, south: number, east: number, north: number];
  features: readonly TestFeature[];
  gzip?: boolean;
}): Uint8Array<ArrayBuffer>;
