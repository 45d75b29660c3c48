//! Colours and gradients, written as `0xRRGGBB`.

use tiny_skia::{
    Color, GradientStop, LinearGradient, Point, RadialGradient, Shader, SpreadMode, Transform,
};

/// What a shape is filled with.
pub(super) type Ink = Shader<'static>;

pub(super) fn solid(hex: u32) -> Ink {
    Shader::SolidColor(color(hex, 1.0))
}

pub(super) fn sheer(hex: u32, alpha: f32) -> Ink {
    Shader::SolidColor(color(hex, alpha))
}

/// Top to bottom.
pub(super) fn down(top: f32, bottom: f32, hexes: &[u32]) -> Ink {
    linear((0.0, top), (0.0, bottom), hexes)
}

/// Evenly spaced colours from one point to another.
pub(super) fn linear(from: (f32, f32), to: (f32, f32), hexes: &[u32]) -> Ink {
    let last = (hexes.len() - 1).max(1) as f32;
    let stops = hexes
        .iter()
        .enumerate()
        .map(|(at, hex)| GradientStop::new(at as f32 / last, color(*hex, 1.0)))
        .collect();
    LinearGradient::new(
        Point::from_xy(from.0, from.1),
        Point::from_xy(to.0, to.1),
        stops,
        SpreadMode::Pad,
        Transform::identity(),
    )
    .unwrap_or_else(|| solid(hexes[0]))
}

/// From the centre outwards: position, colour, alpha.
pub(super) fn radial(x: f32, y: f32, r: f32, stops: &[(f32, u32, f32)]) -> Ink {
    let (_, first, alpha) = stops[0];
    let stops = stops
        .iter()
        .map(|(at, hex, alpha)| GradientStop::new(*at, color(*hex, *alpha)))
        .collect();
    let centre = Point::from_xy(x, y);
    RadialGradient::new(
        centre,
        0.0,
        centre,
        r,
        stops,
        SpreadMode::Pad,
        Transform::identity(),
    )
    .unwrap_or_else(|| sheer(first, alpha))
}

pub(super) fn lighter(hex: u32, by: f32) -> u32 {
    blend(hex, 0xffffff, by)
}

/// Towards a warm dark brown rather than black, which would look dirty.
pub(super) fn darker(hex: u32, by: f32) -> u32 {
    blend(hex, 0x1c0f10, by)
}

pub(super) fn blend(a: u32, b: u32, by: f32) -> u32 {
    let channel = |shift: u32| {
        let (a, b) = ((a >> shift & 0xff) as f32, (b >> shift & 0xff) as f32);
        ((a + (b - a) * by).round().clamp(0.0, 255.0) as u32) << shift
    };
    channel(16) | channel(8) | channel(0)
}

pub(super) fn color(hex: u32, alpha: f32) -> Color {
    let channel = |shift: u32| (hex >> shift & 0xff) as f32 / 255.0;
    let alpha = alpha.clamp(0.0, 1.0);
    Color::from_rgba(channel(16), channel(8), channel(0), alpha)
        .expect("every channel is between zero and one")
}
