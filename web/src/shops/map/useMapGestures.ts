// The gestures of a map: dragging by touch or mouse, pinching, the wheel, and keys. It emits moves in pixels; the map
// applies them. A drag shorter than a few pixels is a tap, and left to the element under it.
import type { Pixel } from "./view";

interface MapMoves {
  pan: (by: Pixel) => void;
  zoom: (factor: number, at?: Pixel) => void;
  /** Shows everything again. */
  reset: () => void;
}

const KEY_STEP_PX = 80;
export const ZOOM_STEP = 1.6;
/** A notch of an ordinary wheel is about a hundred pixels; this makes it a third of a step. */
const WHEEL_FACTOR_PER_PX = 1.002;
/** Fingers tremble: a shorter drag is a tap. */
const TAP_PX = 6;

export function useMapGestures(frame: () => HTMLElement | null, moves: MapMoves) {
  const pointers = new Map<number, Pixel>();
  let draggedPx = 0;

  function pixelOf(event: MouseEvent): Pixel {
    const box = frame()?.getBoundingClientRect();
    return { left: event.clientX - (box?.left ?? 0), top: event.clientY - (box?.top ?? 0) };
  }

  function onPointerdown(event: PointerEvent): void {
    if (event.button !== 0) return;
    if (pointers.size === 0) draggedPx = 0;
    pointers.set(event.pointerId, pixelOf(event));
  }

  function onPointermove(event: PointerEvent): void {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = pixelOf(event);
    const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    pointers.set(event.pointerId, now);
    draggedPx += distance(before, now);
    if (draggedPx < TAP_PX) return;
    // Captured only now: a tap stays a click on the marker under it.
    frame()?.setPointerCapture(event.pointerId);
    if (other === undefined) moves.pan({ left: now.left - before.left, top: now.top - before.top });
    else pinch(other, before, now);
  }

  function pinch(other: Pixel, before: Pixel, now: Pixel): void {
    const [was, is] = [middle(other, before), middle(other, now)];
    moves.pan({ left: is.left - was.left, top: is.top - was.top });
    moves.zoom(Math.max(1, distance(other, now)) / Math.max(1, distance(other, before)), is);
  }

  function onPointerup(event: PointerEvent): void {
    pointers.delete(event.pointerId);
  }

  function onWheel(event: WheelEvent): void {
    moves.zoom(WHEEL_FACTOR_PER_PX ** -event.deltaY, pixelOf(event));
  }

  function onDblclick(event: MouseEvent): void {
    moves.zoom(ZOOM_STEP, pixelOf(event));
  }

  function onKeydown(event: KeyboardEvent): void {
    const move = KEYS[event.key];
    if (move === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    move(moves);
  }

  /** Whether the map was just dragged: then the click that ends it is not meant for the element under it. */
  const wasDragged = () => draggedPx >= TAP_PX;

  return { onPointerdown, onPointermove, onPointerup, onWheel, onDblclick, onKeydown, wasDragged };
}

const KEYS: Record<string, ((moves: MapMoves) => void) | undefined> = {
  ArrowLeft: (moves) => moves.pan({ left: KEY_STEP_PX, top: 0 }),
  ArrowRight: (moves) => moves.pan({ left: -KEY_STEP_PX, top: 0 }),
  ArrowUp: (moves) => moves.pan({ left: 0, top: KEY_STEP_PX }),
  ArrowDown: (moves) => moves.pan({ left: 0, top: -KEY_STEP_PX }),
  "+": (moves) => moves.zoom(ZOOM_STEP),
  "=": (moves) => moves.zoom(ZOOM_STEP),
  "-": (moves) => moves.zoom(1 / ZOOM_STEP),
  "0": (moves) => moves.reset(),
};

function distance(from: Pixel, to: Pixel): number {
  return Math.hypot(to.left - from.left, to.top - from.top);
}

function middle(one: Pixel, other: Pixel): Pixel {
  return { left: (one.left + other.left) / 2, top: (one.top + other.top) / 2 };
}
