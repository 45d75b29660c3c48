// The ground as paths of an SVG, made once: only their transform changes as the map moves. They count from an anchor near to
// everything, because a browser draws in single precision. North is up.
import type { Spot } from "./ground/types";
import { toPixel, type MapView, type Size } from "./view";

/** About a metre each, so that paths have whole numbers. */
const UNITS_PER_DEGREE = 1e5;

/** Through every point, and rounded where it bends, as rivers, shores and ring roads are. */
export function curveOf(line: readonly Spot[], anchor: Spot, isClosed = false): string {
  const points = line.map((spot) => unitsOf(spot, anchor));
  const last = points.length - 1;
  const at = (index: number): Spot => points[isClosed ? (index + points.length) % points.length : Math.min(last, Math.max(0, index))] ?? [0, 0];
  const curves = Array.from({ length: isClosed ? points.length : last }, (_, from) => {
    const [before, start, end, after] = [at(from - 1), at(from), at(from + 1), at(from + 2)];
    return `C${control(start, before, end)} ${control(end, after, start)} ${end.join(" ")}`;
  });
  return `M${at(0).join(" ")}${curves.join("")}${isClosed ? "Z" : ""}`;
}

/** Puts the paths where the view shows them. */
export function groundTransform(view: MapView, size: Size, [x, y]: Spot): string {
  const from = toPixel(view, size, { x, y });
  const to = toPixel(view, size, { x: x + 1, y: y + 1 });
  return `matrix(${(to.left - from.left) / UNITS_PER_DEGREE} 0 0 ${(from.top - to.top) / UNITS_PER_DEGREE} ${from.left} ${from.top})`;
}

function unitsOf([x, y]: Spot, anchor: Spot): Spot {
  return [Math.round((x - anchor[0]) * UNITS_PER_DEGREE), Math.round((anchor[1] - y) * UNITS_PER_DEGREE)];
}

/** How a curve leaves `here` towards `ahead`, coming from `behind` (the spline of Catmull and Rom). */
function control(here: Spot, behind: Spot, ahead: Spot): string {
  return `${Math.round(here[0] + (ahead[0] - behind[0]) / 6)} ${Math.round(here[1] + (ahead[1] - behind[1]) / 6)}`;
}
