// A QR code as the outline of its dark squares, for one SVG path. Loaded with the page that shows a code, not before.
import { correction, generate } from "lean-qr";

/** The margin that scanners need around a code, in squares. */
export const QUIET_ZONE = 4;

interface QrDrawing {
  /** Squares along a side, the quiet zone included. */
  size: number;
  path: string;
}

/** A counter's scanner meets scratched and dim screens: a quarter of the squares may be misread. */
export function drawQr(text: string): QrDrawing {
  const code = generate(text, { minCorrectionLevel: correction.Q });
  const squares: string[] = [];
  for (let y = 0; y < code.size; y += 1) {
    for (let x = 0; x < code.size; x += 1) {
      if (code.get(x, y)) squares.push(`M${x + QUIET_ZONE} ${y + QUIET_ZONE}h1v1h-1z`);
    }
  }
  return { size: code.size + 2 * QUIET_ZONE, path: squares.join("") };
}
