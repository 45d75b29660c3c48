// A link that opens directions to a place. A plain https address works everywhere: a phone hands it to its map app, a
// desktop opens the map's page.
// A shop's position is passed on unchanged to a map of its datum.
import { isInChina } from "./datum";

interface Place {
  name: string;
  /** Longitude and latitude in degrees. */
  x: number;
  y: number;
}

export function directionsUrl(place: Place): string {
  return isInChina(place) ? amapUrl(place) : googleUrl(place);
}

/** `callnative` opens the app where it is installed. A comma would end the name. */
function amapUrl({ name, x, y }: Place): string {
  const to = `${x},${y},${name.replaceAll(",", " ")}`;
  return `https://uri.amap.com/navigation?${new URLSearchParams({ to, coordinate: "gaode", callnative: "1", src: "tandian" })}`;
}

function googleUrl({ x, y }: Place): string {
  return `https://www.google.com/maps/dir/?${new URLSearchParams({ api: "1", destination: `${y},${x}` })}`;
}
