// A link that opens directions to a place. A plain https address works everywhere: a phone hands it to its map app, a
// desktop opens the map's page.
// Datum: a shop's position is assumed to be GCJ-02 inside China, which is what Amap and other Chinese maps give whoever
// enters a shop, and WGS-84 elsewhere. It is passed on unchanged to a map of that datum.

interface Place {
  name: string;
  /** Longitude and latitude in degrees. */
  x: number;
  y: number;
}

/** A box around China. Its neighbours inside it get Amap too, which shows them in WGS-84 as well. */
const CHINA = { west: 73, east: 135.1, south: 18, north: 53.6 };

export function directionsUrl(place: Place): string {
  return isInChina(place) ? amapUrl(place) : googleUrl(place);
}

function isInChina({ x, y }: Place): boolean {
  return x >= CHINA.west && x <= CHINA.east && y >= CHINA.south && y <= CHINA.north;
}

/** `callnative` opens the app where it is installed. A comma would end the name. */
function amapUrl({ name, x, y }: Place): string {
  const to = `${x},${y},${name.replaceAll(",", " ")}`;
  return `https://uri.amap.com/navigation?${new URLSearchParams({ to, coordinate: "gaode", callnative: "1", src: "tandian" })}`;
}

function googleUrl({ x, y }: Place): string {
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: "1", destination: `${y},${x}` })}`;
}
