// Which part of a picture a frame shows, as the picture is panned and zoomed behind it. Invariant: the frame is always full:
// no part reaches beyond the picture.
import type { PicturePart, PictureSize } from "./pictureFile";

export interface View {
  /** 1 shows as much as fits the frame. */
  zoom: number;
  /** The middle of the frame, in shares of the picture. */
  x: number;
  y: number;
}

export const ZOOM_MAX = 3;
export const CENTRED: View = { zoom: 1, x: 0.5, y: 0.5 };

/** `shape` is the frame's width to its height. */
export function partIn(picture: PictureSize, shape: number, view: View): PicturePart {
  const zoom = clamp(view.zoom, 1, ZOOM_MAX);
  const own = picture.width / picture.height;
  const width = Math.min(1, shape / own) / zoom;
  const height = Math.min(1, own / shape) / zoom;
  const x = clamp(view.x - width / 2, 0, 1 - width);
  const y = clamp(view.y - height / 2, 0, 1 - height);
  return { x, y, width, height };
}

/** The view after the picture was panned by these shares of the frame, starting from the part that is shown. */
export function panned(part: PicturePart, zoom: number, dx: number, dy: number): View {
  const x = part.x + part.width / 2 - dx * part.width;
  const y = part.y + part.height / 2 - dy * part.height;
  return { zoom, x: clamp(x, part.width / 2, 1 - part.width / 2), y: clamp(y, part.height / 2, 1 - part.height / 2) };
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
