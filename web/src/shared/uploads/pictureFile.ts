// Prepares a picture for the upload: upright, no larger than the server stores it, and in a format that it accepts. Photos of
// a phone shrink to a tenth, which saves most of the time on a slow network.
export interface PictureSize {
  width: number;
  height: number;
}

/** A part of a picture, in shares of its width and height. */
export interface PicturePart extends PictureSize {
  x: number;
  y: number;
}

/** The long side of the server's largest version: more would be discarded there. */
const LONG_SIDE_PX = 1600;
/** No visible artefacts in photos; the server encodes again, so a little better than its own. */
const JPEG_QUALITY = 0.88;
/** A file this small is sent as it is. */
const SMALL_BYTES = 300_000;
const ACCEPTED_TYPES: readonly string[] = ["image/jpeg", "image/png", "image/webp"];
const WHOLE: PicturePart = { x: 0, y: 0, width: 1, height: 1 };

/** The file is no picture, or of a kind that this browser cannot read. */
export class UnreadablePicture extends Error {
  override readonly name = "UnreadablePicture";
}

/** The same shape with no side longer than allowed; small pictures stay as they are. */
export function fittingSize({ width, height }: PictureSize, longSidePx = LONG_SIDE_PX): PictureSize {
  const scale = Math.min(1, longSidePx / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

export function prepare(file: Blob): Promise<Blob> {
  return withBitmap(file, async (bitmap) => {
    const fits = Math.max(bitmap.width, bitmap.height) <= LONG_SIDE_PX;
    if (fits && file.size <= SMALL_BYTES && ACCEPTED_TYPES.includes(file.type)) return file;
    return drawn(bitmap, WHOLE);
  });
}

export function cropped(image: HTMLImageElement, part: PicturePart, longSidePx = LONG_SIDE_PX): Promise<Blob> {
  return withBitmap(image, (bitmap) => drawn(bitmap, part, longSidePx));
}

async function withBitmap<T>(source: ImageBitmapSource, use: (bitmap: ImageBitmap) => Promise<T>): Promise<T> {
  const bitmap = await createImageBitmap(source).catch(() => {
    throw new UnreadablePicture();
  });
  try {
    return await use(bitmap);
  } finally {
    bitmap.close();
  }
}

async function drawn(bitmap: ImageBitmap, part: PicturePart, longSidePx = LONG_SIDE_PX): Promise<Blob> {
  const source = { width: bitmap.width * part.width, height: bitmap.height * part.height };
  const { width, height } = fittingSize(source, longSidePx);
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d");
  if (context === null) throw new UnreadablePicture();
  // JPEG has no transparency: without a background, transparent parts would become black.
  context.fillStyle = "#fff";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  const [x, y] = [bitmap.width * part.x, bitmap.height * part.y];
  context.drawImage(bitmap, x, y, source.width, source.height, 0, 0, width, height);
  return encoded(canvas);
}

function encoded(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new UnreadablePicture())), "image/jpeg", JPEG_QUALITY);
  });
}
