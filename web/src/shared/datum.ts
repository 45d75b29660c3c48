// What a pair of coordinates means. Maps of China are drawn in GCJ-02, which is WGS-84 moved by up to 700 metres in a way
// that is fixed but not simple; receivers and browsers give WGS-84.
// Invariant: every position on the site is GCJ-02 inside China, which is what Amap and other Chinese maps give whoever
// enters a shop, and WGS-84 elsewhere. A position of a browser is converted here, once, before anything compares it.

/** Longitude and latitude in degrees. */
interface Coordinates {
  x: number;
  y: number;
}

/** A box around China. Chinese maps show its neighbours inside it in the same datum. */
const CHINA = { west: 73, east: 135.1, south: 18, north: 53.6 };

/** Of the ellipsoid of Krasovsky: its greater half axis in metres, and the square of its eccentricity. */
const HALF_AXIS = 6_378_245;
const ECCENTRICITY_SQUARED = 0.006_693_421_622_965_943;
/** Where the shift is counted from. */
const ORIGIN = { x: 105, y: 35 };

export function isInChina({ x, y }: Coordinates): boolean {
  return x >= CHINA.west && x <= CHINA.east && y >= CHINA.south && y <= CHINA.north;
}

/** A position of a browser as the site counts it. */
export function siteDatumOf<T extends Coordinates>(wgs84: T): Coordinates {
  if (!isInChina(wgs84)) return { x: wgs84.x, y: wgs84.y };
  const [x, y] = [wgs84.x - ORIGIN.x, wgs84.y - ORIGIN.y];
  const latitude = (wgs84.y * Math.PI) / 180;
  const flattened = 1 - ECCENTRICITY_SQUARED * Math.sin(latitude) ** 2;
  const north = (HALF_AXIS * (1 - ECCENTRICITY_SQUARED)) / flattened ** 1.5;
  const east = (HALF_AXIS / Math.sqrt(flattened)) * Math.cos(latitude);
  return {
    x: wgs84.x + degrees(eastMetres(x, y) / east),
    y: wgs84.y + degrees(northMetres(x, y) / north),
  };
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

function eastMetres(x: number, y: number): number {
  return 300 + x + 2 * y + 0.1 * x * x + 0.1 * x * y + 0.1 * Math.sqrt(Math.abs(x)) + ripple(x) + waves(x, [20, 40], [150, 300]);
}

function northMetres(x: number, y: number): number {
  const slope = -100 + 2 * x + 3 * y + 0.2 * y * y + 0.1 * x * y + 0.2 * Math.sqrt(Math.abs(x));
  return slope + ripple(x) + waves(y, [20, 40], [160, 320]);
}

function ripple(x: number): number {
  return (2 / 3) * (20 * Math.sin(6 * x * Math.PI) + 20 * Math.sin(2 * x * Math.PI));
}

/** A short wave, and two longer ones. */
function waves(along: number, [short, middle]: [number, number], [long, longest]: [number, number]): number {
  const wave = (height: number, length: number) => height * Math.sin((along * Math.PI) / length);
  return (2 / 3) * (wave(short, 1) + wave(middle, 3) + wave(long, 12) + wave(longest, 30));
}
