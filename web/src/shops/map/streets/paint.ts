// Paints tiles onto a canvas: surfaces, then streets from the least to the greatest, then names that do not run into each
// other. Every tile paints its own background, so that what is below the canvas shows only where there is no tile.
import { EXTENT, type Label, type LabelKind, type RoadRank, type StreetTile, type Surface } from "./decode";
import type { Matrix, Part } from "./tiles";

/** A tile where the view has it. */
export interface Piece {
  tile: StreetTile;
  matrix: Matrix;
  /** What of it to paint, when it stands in for a finer tile. */
  part?: Part;
}

export interface Canvas2d {
  context: CanvasRenderingContext2D;
  width: number;
  height: number;
  /** Pixels of the screen for each of the page. */
  ratio: number;
}

const COLOURS = ["land", "park", "water", "building", "rail", "casing", "road", "fast", "path", "name", "water-name", "park-name", "halo"] as const;
export type Palette = Record<(typeof COLOURS)[number], string>;

/** The colours of the theme in use. They are in the stylesheet of ShopMap, with those of the drawn ground. */
export function paletteOf(element: Element): Palette {
  const style = getComputedStyle(element);
  return Object.fromEntries(COLOURS.map((name) => [name, style.getPropertyValue(`--map-${name}`).trim()])) as Palette;
}

interface Line {
  metres: number;
  leastPx: number;
  mostPx: number;
  untilMetresPerPixel: number;
}

/** Width on the ground, the least and the most of it on the screen, and the scale from which on it is left out. */
const ROADS: Record<RoadRank, Line> = {
  path: { metres: 2, leastPx: 1, mostPx: 4, untilMetresPerPixel: 3 },
  minor: { metres: 9, leastPx: 1, mostPx: 16, untilMetresPerPixel: 25 },
  main: { metres: 18, leastPx: 1.5, mostPx: 22, untilMetresPerPixel: 150 },
  fast: { metres: 26, leastPx: 2, mostPx: 26, untilMetresPerPixel: 400 },
};
const STREAM: Line = { metres: 12, leastPx: 1, mostPx: 20, untilMetresPerPixel: 100 };
const RAIL: Line = { metres: 3, leastPx: 1, mostPx: 4, untilMetresPerPixel: 40 };
const CASED = ["minor", "main", "fast"] as const;
const CASING_PX = 2;
/** A line of streets as thin as this needs no edge. */
const CASED_FROM_PX = 2;
const BUILDINGS_UNTIL_METRES_PER_PIXEL = 2.5;
/** A tile's background goes this far beyond it, or the canvas would leave a seam. */
const SEAM_PX = 0.6;

const NAMES: Record<LabelKind, { font: string; px: number; colour: keyof Palette; untilMetresPerPixel: number }> = {
  district: { font: "600 15px", px: 15, colour: "name", untilMetresPerPixel: 400 },
  area: { font: "500 12px", px: 12, colour: "name", untilMetresPerPixel: 30 },
  water: { font: "italic 12px", px: 12, colour: "water-name", untilMetresPerPixel: 120 },
  park: { font: "12px", px: 12, colour: "park-name", untilMetresPerPixel: 12 },
  spot: { font: "11px", px: 11, colour: "name", untilMetresPerPixel: 6 },
  road: { font: "11px", px: 11, colour: "name", untilMetresPerPixel: 12 },
};
const FAMILY = "system-ui, sans-serif";
/** Between two names. */
const NAME_GAP_PX = 10;
/** Between two places with the same name, which are one street or one lake in two tiles. */
const SAME_NAME_PX = 240;

/** `names` is 0 for Chinese and 1 for English; `taken` are places that names keep away from. */
export function paint(
  canvas: Canvas2d,
  pieces: readonly Piece[],
  style: { palette: Palette; metresPerPixel: number; names: 0 | 1; taken: readonly Box[] },
): void {
  const { context, width, height, ratio } = canvas;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, width * ratio, height * ratio);
  context.lineCap = "round";
  context.lineJoin = "round";
  // Coarser ones first: they stand in, and the finer ones cover their rims.
  const ordered = [...pieces].sort((one, other) => Number(other.part !== undefined) - Number(one.part !== undefined));
  const { palette, metresPerPixel } = style;
  const each = (draw: (piece: Piece, pixel: number) => void) => ordered.forEach((piece) => inside(canvas, piece, draw));

  each((_, pixel) => {
    context.fillStyle = palette.land;
    const margin = SEAM_PX * pixel;
    context.fillRect(-margin, -margin, EXTENT + 2 * margin, EXTENT + 2 * margin);
  });
  const fill = (surface: Surface) =>
    each(({ tile }) => {
      context.fillStyle = palette[surface];
      context.fill(tile.surfaces[surface], "evenodd");
    });
  const stroke = (pathOf: (tile: StreetTile) => Path2D, colour: string, widthPx: number) =>
    each(({ tile }, pixel) => {
      context.strokeStyle = colour;
      context.lineWidth = widthPx * pixel;
      context.stroke(pathOf(tile));
    });
  const isShown = (line: Line) => metresPerPixel < line.untilMetresPerPixel;
  const widthOf = ({ metres, leastPx, mostPx }: Line) => Math.min(mostPx, Math.max(leastPx, metres / metresPerPixel));

  fill("park");
  fill("water");
  if (isShown(STREAM)) stroke((tile) => tile.streams, palette.water, widthOf(STREAM));
  if (metresPerPixel < BUILDINGS_UNTIL_METRES_PER_PIXEL) fill("building");
  if (isShown(ROADS.path)) stroke((tile) => tile.roads.path, palette.path, widthOf(ROADS.path));
  const cased = CASED.filter((rank) => isShown(ROADS[rank]));
  for (const rank of cased) {
    const widthPx = widthOf(ROADS[rank]);
    if (widthPx >= CASED_FROM_PX) stroke((tile) => tile.roads[rank], palette.casing, widthPx + CASING_PX);
  }
  if (isShown(RAIL)) stroke((tile) => tile.rails, palette.rail, widthOf(RAIL));
  for (const rank of cased) stroke((tile) => tile.roads[rank], palette[rank === "fast" ? "fast" : "road"], widthOf(ROADS[rank]));
  paintNames(canvas, ordered, style);
}

/** `pixel` is how long a pixel of the page is in coordinates of the tile. */
function inside({ context, ratio }: Canvas2d, piece: Piece, draw: (piece: Piece, pixel: number) => void): void {
  const [a, b, c, d, e, f] = piece.matrix;
  const scale = ratio / EXTENT;
  context.save();
  context.setTransform(a * scale, b * scale, c * scale, d * scale, e * ratio, f * ratio);
  if (piece.part !== undefined) {
    const [x, y, side] = [piece.part.x * EXTENT, piece.part.y * EXTENT, piece.part.side * EXTENT];
    context.beginPath();
    context.rect(x, y, side, side);
    context.clip();
  }
  draw(piece, EXTENT / Math.hypot(a, b));
  context.restore();
}

/** In pixels of the page. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function paintNames(
  { context, width, height, ratio }: Canvas2d,
  pieces: readonly Piece[],
  { palette, metresPerPixel, names, taken }: { palette: Palette; metresPerPixel: number; names: 0 | 1; taken: readonly Box[] },
): void {
  const boxes = [...taken];
  const placed: { text: string; x: number; y: number }[] = [];
  const candidates = pieces
    .flatMap(({ tile, matrix, part }) => tile.labels.filter((label) => isIn(label, part)).map((label) => ({ label, matrix })))
    .filter(({ label }) => metresPerPixel < NAMES[label.kind].untilMetresPerPixel)
    .sort((one, other) => one.label.order - other.label.order);
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.lineWidth = 3;
  context.strokeStyle = palette.halo;
  for (const { label, matrix } of candidates) {
    const [a, b, c, d, e, f] = matrix;
    const [u, v] = [label.x / EXTENT, label.y / EXTENT];
    const [x, y] = [a * u + c * v + e, b * u + d * v + f];
    if (x < 0 || y < 0 || x > width || y > height) continue;
    const text = label.name[names];
    if (placed.some((other) => other.text === text && Math.hypot(other.x - x, other.y - y) < SAME_NAME_PX)) continue;
    const { font, px, colour } = NAMES[label.kind];
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = `${font} ${FAMILY}`;
    const long = context.measureText(text).width;
    if (label.length !== undefined && long + NAME_GAP_PX > (label.length / EXTENT) * Math.hypot(a, b)) continue;
    const angle = upright(label.angle ?? 0);
    const box = boxAround(x, y, long, px, angle);
    if (boxes.some((other) => overlap(box, other))) continue;
    boxes.push(box);
    placed.push({ text, x, y });
    context.translate(x, y);
    context.rotate(angle);
    context.strokeText(text, 0, 0);
    context.fillStyle = palette[colour];
    context.fillText(text, 0, 0);
  }
}

function isIn(label: Label, part: Part = { x: 0, y: 0, side: 1 }): boolean {
  const [x, y] = [label.x / EXTENT - part.x, label.y / EXTENT - part.y];
  return x >= 0 && y >= 0 && x < part.side && y < part.side;
}

/** The same line, read from left to right. */
function upright(angle: number): number {
  return angle - Math.PI * Math.round(angle / Math.PI);
}

function boxAround(x: number, y: number, long: number, high: number, angle: number): Box {
  const [cos, sin] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const [across, up] = [(long * cos + high * sin) / 2, (long * sin + high * cos) / 2];
  const gap = NAME_GAP_PX / 2;
  return { left: x - across - gap, right: x + across + gap, top: y - up - gap, bottom: y + up + gap };
}

function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
