//! Shapes to fill and lines to draw: pure geometry, no colour.
//!
//! Invariant: a shape with nothing left of it at its size is `None`, never an error.

use std::f32::consts::TAU;

use tiny_skia::{Path, PathBuilder, Rect};

use crate::random::Random;

pub(super) fn rect(x: f32, y: f32, w: f32, h: f32) -> Option<Path> {
    Rect::from_xywh(x, y, w, h).map(PathBuilder::from_rect)
}

pub(super) fn oval(x: f32, y: f32, rx: f32, ry: f32) -> Option<Path> {
    Rect::from_xywh(x - rx, y - ry, rx * 2.0, ry * 2.0).and_then(PathBuilder::from_oval)
}

pub(super) fn round_rect(x: f32, y: f32, w: f32, h: f32, r: f32) -> Option<Path> {
    let r = r.min(w / 2.0).min(h / 2.0);
    let mut path = PathBuilder::new();
    path.move_to(x + r, y);
    path.line_to(x + w - r, y);
    path.quad_to(x + w, y, x + w, y + r);
    path.line_to(x + w, y + h - r);
    path.quad_to(x + w, y + h, x + w - r, y + h);
    path.line_to(x + r, y + h);
    path.quad_to(x, y + h, x, y + h - r);
    path.line_to(x, y + r);
    path.quad_to(x, y, x + r, y);
    path.close();
    path.finish()
}

pub(super) fn polygon(points: &[(f32, f32)]) -> Option<Path> {
    let mut path = open(points)?;
    path.close();
    path.finish()
}

pub(super) fn polyline(points: &[(f32, f32)]) -> Option<Path> {
    open(points)?.finish()
}

fn open(points: &[(f32, f32)]) -> Option<PathBuilder> {
    let mut path = PathBuilder::new();
    let ((x, y), rest) = points.split_first()?;
    path.move_to(*x, *y);
    for (x, y) in rest {
        path.line_to(*x, *y);
    }
    Some(path)
}

/// A bow from one point to another by way of a control point.
pub(super) fn bow(from: (f32, f32), by: (f32, f32), to: (f32, f32)) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.move_to(from.0, from.1);
    path.quad_to(by.0, by.1, to.0, to.1);
    path.finish()
}

/// A pointed leaf or petal from the origin along the x axis.
pub(super) fn leaf(length: f32, width: f32) -> Option<Path> {
    let mut path = PathBuilder::new();
    path.move_to(0.0, 0.0);
    path.quad_to(length * 0.45, -width, length, 0.0);
    path.quad_to(length * 0.45, width, 0.0, 0.0);
    path.close();
    path.finish()
}

/// Part of a circle's line, in degrees clockwise from the right.
pub(super) fn arc(x: f32, y: f32, r: f32, from: f32, to: f32) -> Option<Path> {
    const STEPS: u32 = 24;
    let points: Vec<(f32, f32)> = (0..=STEPS)
        .map(|step| from + (to - from) * step as f32 / STEPS as f32)
        .map(|degrees| around(x, y, r, degrees))
        .collect();
    polyline(&points)
}

/// A closed shape that wobbles around a circle, as cut meat and leaves do.
pub(super) fn blob(x: f32, y: f32, r: f32, wobble: f32, random: &mut Random) -> Option<Path> {
    const CORNERS: u32 = 9;
    let corners: Vec<(f32, f32)> = (0..CORNERS)
        .map(|n| {
            (
                n as f32 * 360.0 / CORNERS as f32,
                r * random.range(1.0 - wobble, 1.0),
            )
        })
        .map(|(degrees, r)| around(x, y, r, degrees))
        .collect();
    let middle = |a: (f32, f32), b: (f32, f32)| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
    let start = middle(corners[CORNERS as usize - 1], corners[0]);
    let mut path = PathBuilder::new();
    path.move_to(start.0, start.1);
    for (at, corner) in corners.iter().enumerate() {
        let end = middle(*corner, corners[(at + 1) % corners.len()]);
        path.quad_to(corner.0, corner.1, end.0, end.1);
    }
    path.close();
    path.finish()
}

pub(super) fn around(x: f32, y: f32, r: f32, degrees: f32) -> (f32, f32) {
    let angle = degrees / 360.0 * TAU;
    (x + r * angle.cos(), y + r * angle.sin())
}

/// A point spread evenly over a disc.
pub(super) fn in_disc(x: f32, y: f32, r: f32, random: &mut Random) -> (f32, f32) {
    let distance = random.range(0.0, 1.0).sqrt() * r;
    around(x, y, distance, random.range(0.0, 360.0))
}
