import { expect, test, vi } from "vitest";
import { useMapGestures } from "./useMapGestures";

function map() {
  const moves = { pan: vi.fn(), zoom: vi.fn(), reset: vi.fn() };
  const frame = document.createElement("div");
  frame.setPointerCapture = () => undefined;
  return { moves, gestures: useMapGestures(() => frame, moves) };
}

const finger = (pointerId: number, clientX: number, clientY: number) =>
  ({ pointerId, clientX, clientY, button: 0 }) as PointerEvent;
const key = (name: string, ctrlKey = false) =>
  ({ key: name, ctrlKey, metaKey: false, altKey: false, preventDefault: () => undefined }) as KeyboardEvent;

test("dragging pans the map", () => {
  const { moves, gestures } = map();
  gestures.onPointerdown(finger(1, 100, 100));
  gestures.onPointermove(finger(1, 130, 90));
  expect(moves.pan).toHaveBeenLastCalledWith({ left: 30, top: -10 });
  gestures.onPointerup(finger(1, 130, 90));
  gestures.onPointermove(finger(1, 200, 200));
  expect(moves.pan).toHaveBeenCalledOnce();
});

test("a trembling finger taps and does not drag", () => {
  const { moves, gestures } = map();
  gestures.onPointerdown(finger(1, 100, 100));
  gestures.onPointermove(finger(1, 102, 101));
  expect(moves.pan).not.toHaveBeenCalled();
  expect(gestures.wasDragged()).toBe(false);
  gestures.onPointermove(finger(1, 120, 100));
  expect(gestures.wasDragged()).toBe(true);
  gestures.onPointerup(finger(1, 120, 100));
  gestures.onPointerdown(finger(1, 50, 50));
  expect(gestures.wasDragged()).toBe(false);
});

test("pinching zooms at the point between the fingers", () => {
  const { moves, gestures } = map();
  gestures.onPointerdown(finger(1, 100, 100));
  gestures.onPointerdown(finger(2, 200, 100));
  gestures.onPointermove(finger(2, 300, 100));
  expect(moves.zoom).toHaveBeenLastCalledWith(2, { left: 200, top: 100 });
});

test("turning the wheel up zooms in", () => {
  const { moves, gestures } = map();
  gestures.onWheel({ deltaY: -100, clientX: 10, clientY: 20 } as WheelEvent);
  const [factor, at] = moves.zoom.mock.calls[0] ?? [];
  expect(factor).toBeGreaterThan(1);
  expect(at).toEqual({ left: 10, top: 20 });
});

test("keys steer, and those of the browser stay the browser's", () => {
  const { moves, gestures } = map();
  gestures.onKeydown(key("ArrowRight"));
  expect(moves.pan).toHaveBeenLastCalledWith({ left: -80, top: 0 });
  gestures.onKeydown(key("0"));
  expect(moves.reset).toHaveBeenCalledOnce();
  gestures.onKeydown(key("+", true));
  gestures.onKeydown(key("Tab"));
  expect(moves.zoom).not.toHaveBeenCalled();
});
