//! A surface with the few strokes that all scenes are made of.
//!
//! Invariant: a shape that could not be built is left out, so a picture always comes out.

use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use tiny_skia::{
    FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Point, Stroke, Transform,
};

use super::ink::{Ink, darker, lighter, radial, sheer};
use super::shapes::{oval, rect, round_rect};
use crate::random::Random;

/// Good enough that edges stay clean, small enough that a picture stays under 60 kB.
const JPEG_QUALITY: u8 = 73;

#[derive(Debug)]
pub(super) struct Canvas {
    pixmap: Pixmap,
    place: Transform,
    pub(super) random: Random,
}

impl Canvas {
    pub(super) fn new(width: u32, height: u32, random: Random) -> Self {
        Self {
            pixmap: Pixmap::new(width, height).expect("picture sizes are positive constants"),
            place: Transform::identity(),
            random,
        }
    }

    pub(super) fn width(&self) -> f32 {
        self.pixmap.width() as f32
    }

    pub(super) fn height(&self) -> f32 {
        self.pixmap.height() as f32
    }

    /// Draws with the origin at a point, turned by some degrees and scaled.
    pub(super) fn at(
        &mut self,
        (x, y): (f32, f32),
        degrees: f32,
        scale: f32,
        draw: impl FnOnce(&mut Self),
    ) {
        let before = self.place;
        self.place = before
            .pre_translate(x, y)
            .pre_rotate(degrees)
            .pre_scale(scale, scale);
        draw(self);
        self.place = before;
    }

    /// Draws everything with left and right exchanged.
    pub(super) fn mirrored(&mut self, draw: impl FnOnce(&mut Self)) {
        let before = self.place;
        self.place = before.pre_translate(self.width(), 0.0).pre_scale(-1.0, 1.0);
        draw(self);
        self.place = before;
    }

    pub(super) fn fill(&mut self, path: Option<Path>, ink: Ink) {
        let Some(path) = path else { return };
        let paint = paint(ink);
        self.pixmap
            .fill_path(&path, &paint, FillRule::Winding, self.place, None);
    }

    pub(super) fn line(&mut self, path: Option<Path>, width: f32, ink: Ink) {
        let Some(path) = path else { return };
        let stroke = Stroke {
            width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..Stroke::default()
        };
        let paint = paint(ink);
        self.pixmap
            .stroke_path(&path, &paint, &stroke, self.place, None);
    }

    pub(super) fn background(&mut self, ink: Ink) {
        self.fill(rect(0.0, 0.0, self.width(), self.height()), ink);
    }

    pub(super) fn rect(&mut self, (x, y, w, h): (f32, f32, f32, f32), ink: Ink) {
        self.fill(rect(x, y, w, h), ink);
    }

    pub(super) fn round(&mut self, (x, y, w, h): (f32, f32, f32, f32), r: f32, ink: Ink) {
        self.fill(round_rect(x, y, w, h, r), ink);
    }

    pub(super) fn circle(&mut self, x: f32, y: f32, r: f32, ink: Ink) {
        self.fill(PathBuilder::from_circle(x, y, r), ink);
    }

    pub(super) fn ring(&mut self, x: f32, y: f32, r: f32, width: f32, ink: Ink) {
        self.line(PathBuilder::from_circle(x, y, r), width, ink);
    }

    pub(super) fn oval(&mut self, x: f32, y: f32, rx: f32, ry: f32, ink: Ink) {
        self.fill(oval(x, y, rx, ry), ink);
    }

    /// The picture half as wide and high: each of its pixels is the mean of four.
    pub(super) fn halved(&self) -> Self {
        let (width, height) = (self.pixmap.width() / 2, self.pixmap.height() / 2);
        let mut half = Self::new(width, height, self.random.clone());
        let stride = self.pixmap.width() as usize * 4;
        let (from, to) = (self.pixmap.data(), half.pixmap.data_mut());
        let lines = from.chunks_exact(stride * 2);
        for (pair, line) in lines.zip(to.chunks_exact_mut(width as usize * 4)) {
            let (upper, lower) = pair.split_at(stride);
            let pixels = upper.chunks_exact(8).zip(lower.chunks_exact(8));
            for ((upper, lower), pixel) in pixels.zip(line.chunks_exact_mut(4)) {
                for (channel, mean) in pixel.iter_mut().enumerate() {
                    let four = [
                        upper[channel],
                        upper[channel + 4],
                        lower[channel],
                        lower[channel + 4],
                    ];
                    *mean = (four.into_iter().map(u16::from).sum::<u16>() / 4) as u8;
                }
            }
        }
        half
    }

    /// A soft patch of light, or of shadow if the colour is dark.
    pub(super) fn glow(&mut self, x: f32, y: f32, r: f32, hex: u32, alpha: f32) {
        self.haze((x, y, r), hex, alpha, 1.0);
    }

    /// The shadow of something round lying on the table, light from the upper left.
    pub(super) fn shadow(&mut self, x: f32, y: f32, r: f32) {
        self.haze((x + r * 0.07, y + r * 0.1, r * 1.16), SHADOW, 0.5, 2.6);
    }

    /// Blends a disc that fades out towards its edge, the later the greater `hardness` is.
    ///
    /// Light and shadow cover much of every picture. A gradient of the drawing library costs
    /// several times as much, and its straight falloff shows. Whatever lies below must be opaque.
    fn haze(&mut self, disc: (f32, f32, f32), hex: u32, alpha: f32, hardness: f32) {
        let (x, y, r) = self.on_pixels(disc);
        let (width, height) = (self.width(), self.height());
        let span = |centre: f32, end: f32| {
            (
                (centre - r).clamp(0.0, end) as usize,
                (centre + r).clamp(0.0, end) as usize,
            )
        };
        let ((left, right), (top, bottom)) = (span(x, width), span(y, height));
        let rgb = [(hex >> 16) as u8, (hex >> 8) as u8, hex as u8].map(f32::from);
        let stride = width as usize * 4;
        let data = self.pixmap.data_mut();
        for row in top..bottom {
            let dy = row as f32 + 0.5 - y;
            let line = &mut data[row * stride + left * 4..row * stride + right * 4];
            for (column, pixel) in line.chunks_exact_mut(4).enumerate() {
                let dx = (left + column) as f32 + 0.5 - x;
                let near = (1.0 - (dx * dx + dy * dy) / (r * r)).max(0.0);
                let near = (near * hardness).min(1.0);
                let share = alpha * near * near;
                for (channel, ink) in pixel.iter_mut().zip(rgb) {
                    let under = f32::from(*channel);
                    *channel = (under + (ink - under) * share + 0.5) as u8;
                }
            }
        }
    }

    /// Where a disc lands under the current placement, which only moves, turns and scales.
    fn on_pixels(&self, (x, y, r): (f32, f32, f32)) -> (f32, f32, f32) {
        let mut centre = Point::from_xy(x, y);
        self.place.map_point(&mut centre);
        let (scale, _) = self.place.get_scale();
        (centre.x, centre.y, r * scale.abs())
    }

    /// The shadow of something square: a few sheer layers, each a little larger.
    pub(super) fn shadow_rect(&mut self, (x, y, w, h): (f32, f32, f32, f32), r: f32) {
        for layer in 0..6 {
            let grow = layer as f32 * 3.0;
            let area = (
                x + 5.0 - grow,
                y + 8.0 - grow,
                w + 2.0 * grow,
                h + 2.0 * grow,
            );
            self.round(area, r + grow, sheer(SHADOW, 0.07));
        }
    }

    /// Something round and full: a berry, a dumpling, a ball.
    pub(super) fn ball(&mut self, x: f32, y: f32, r: f32, hex: u32) {
        self.glow(x + r * 0.15, y + r * 0.25, r * 1.25, SHADOW, 0.45);
        let stops = [
            (0.0, lighter(hex, 0.45), 1.0),
            (0.45, hex, 1.0),
            (1.0, darker(hex, 0.35), 1.0),
        ];
        let ink = radial(x - r * 0.35, y - r * 0.38, r * 1.5, &stops);
        self.circle(x, y, r, ink);
        self.oval(
            x - r * 0.38,
            y - r * 0.45,
            r * 0.2,
            r * 0.13,
            sheer(0xffffff, 0.65),
        );
    }

    pub(super) fn jpeg(&self) -> Vec<u8> {
        let (width, height) = (self.pixmap.width() as u16, self.pixmap.height() as u16);
        let mut bytes = Vec::new();
        let mut encoder = Encoder::new(&mut bytes, JPEG_QUALITY);
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        // Shows something early on a slow line.
        encoder.set_progressive(true);
        encoder.set_optimized_huffman_tables(true);
        encoder
            .encode(self.pixmap.data(), width, height, ColorType::Rgba)
            .expect("the buffer has the size of the picture, and memory does not fail to write");
        bytes
    }

    pub(super) fn png(&self) -> Vec<u8> {
        self.pixmap
            .encode_png()
            .expect("the buffer has the size of the picture, and memory does not fail to write")
    }
}

pub(super) const SHADOW: u32 = 0x1a0d0a;

fn paint(shader: Ink) -> Paint<'static> {
    Paint {
        shader,
        anti_alias: true,
        ..Paint::default()
    }
}
