// Makes a small .pmtiles file (version 3) of vector tiles, for journeys and unit tests: every tile of the bounds has whatever
// runs through it, uncut.
import { gzipSync } from "node:zlib";
import { PbfWriter } from "pbf";
import { zxyToTileId } from "pmtiles";

const HEADER_BYTES = 127;
const EXTENT = 4096;
const TYPES = { point: 1, line: 2, polygon: 3 };
const [MOVE_TO, LINE_TO, CLOSE] = [1, 2, 7];
const [NONE, GZIP] = [1, 2];
const MVT = 1;

/** `bounds` are west, south, east and north; a feature has a `layer`, a `type`, `properties` and `points` in degrees. */
export function makeTilesFile({ minZoom, maxZoom, bounds, features, gzip = true }) {
  const pack = (bytes) => (gzip ? gzipSync(bytes) : Buffer.from(bytes));
  const tiles = tilesOf(bounds, minZoom, maxZoom)
    .map((tile) => ({ id: zxyToTileId(tile.z, tile.x, tile.y), content: pack(encodeTile(tile, features)) }))
    .sort((one, other) => one.id - other.id);
  const root = pack(encodeDirectory(tiles));
  const metadata = pack(Buffer.from("{}"));
  const data = Buffer.concat(tiles.map(({ content }) => content));
  const header = Buffer.alloc(HEADER_BYTES);
  header.write("PMTiles");
  header[7] = 3;
  let offset = HEADER_BYTES;
  [root, metadata, Buffer.alloc(0), data].forEach((section, at) => {
    header.writeBigUInt64LE(BigInt(offset), 8 + 16 * at);
    header.writeBigUInt64LE(BigInt(section.length), 16 + 16 * at);
    offset += section.length;
  });
  [72, 80, 88].forEach((at) => header.writeBigUInt64LE(BigInt(tiles.length), at));
  header.set([1, gzip ? GZIP : NONE, gzip ? GZIP : NONE, MVT, minZoom, maxZoom], 96);
  bounds.forEach((degrees, at) => header.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * at));
  return Buffer.concat([header, root, metadata, data]);
}

function tilesOf([west, south, east, north], minZoom, maxZoom) {
  const tiles = [];
  for (let z = minZoom; z <= maxZoom; z++) {
    const [from, to] = [placeOf([west, north], z), placeOf([east, south], z)];
    for (let x = Math.floor(from.x); x <= Math.floor(to.x); x++) {
      for (let y = Math.floor(from.y); y <= Math.floor(to.y); y++) tiles.push({ z, x, y });
    }
  }
  return tiles;
}

/** In tiles from the north-west of the world. */
function placeOf([lon, lat], z) {
  const y = (1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2;
  return { x: ((lon + 180) / 360) * 2 ** z, y: y * 2 ** z };
}

function encodeDirectory(tiles) {
  const pbf = new PbfWriter();
  pbf.writeVarint(tiles.length);
  tiles.forEach(({ id }, at) => pbf.writeVarint(id - (tiles[at - 1]?.id ?? 0)));
  tiles.forEach(() => pbf.writeVarint(1));
  tiles.forEach(({ content }) => pbf.writeVarint(content.length));
  // Each follows the one before.
  tiles.forEach((_, at) => pbf.writeVarint(at === 0 ? 1 : 0));
  return pbf.finish();
}

function encodeTile(tile, features) {
  const pbf = new PbfWriter();
  for (const name of new Set(features.map(({ layer }) => layer))) {
    const those = features.filter(({ layer }) => layer === name);
    pbf.writeMessage(3, encodeLayer, { name, tile, features: those });
  }
  return pbf.finish();
}

function encodeLayer({ name, tile, features }, pbf) {
  const [keys, values] = [[], []];
  const indexOf = (list, item) => (list.includes(item) ? list.indexOf(item) : list.push(item) - 1);
  pbf.writeVarintField(15, 2);
  pbf.writeStringField(1, name);
  for (const { type, properties, points } of features) {
    const tags = Object.entries(properties).flatMap(([key, value]) => [indexOf(keys, key), indexOf(values, value)]);
    const spots = points.map((point) => {
      const { x, y } = placeOf(point, tile.z);
      return [Math.round((x - tile.x) * EXTENT), Math.round((y - tile.y) * EXTENT)];
    });
    pbf.writeMessage(2, encodeFeature, { tags, type: TYPES[type], geometry: geometryOf(type, spots) });
  }
  for (const key of keys) pbf.writeStringField(3, key);
  for (const value of values) pbf.writeMessage(4, encodeValue, value);
  pbf.writeVarintField(5, EXTENT);
}

function encodeFeature({ tags, type, geometry }, pbf) {
  pbf.writePackedVarint(2, tags);
  pbf.writeVarintField(3, type);
  pbf.writePackedVarint(4, geometry);
}

function encodeValue(value, pbf) {
  if (typeof value === "boolean") pbf.writeBooleanField(7, value);
  else if (typeof value === "number") pbf.writeVarintField(5, value);
  else pbf.writeStringField(1, value);
}

function geometryOf(type, spots) {
  const commands = [];
  let last = [0, 0];
  const command = (id, count) => commands.push((count << 3) | id);
  const move = (spot) => {
    for (const at of [0, 1]) commands.push(zigzag(spot[at] - last[at]));
    last = spot;
  };
  command(MOVE_TO, 1);
  move(spots[0]);
  if (spots.length > 1) command(LINE_TO, spots.length - 1);
  spots.slice(1).forEach(move);
  if (type === "polygon") command(CLOSE, 1);
  return commands;
}

function zigzag(number) {
  return (number << 1) ^ (number >> 31);
}
