//! Things that several quiet places share.

use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, lighter, linear, sheer, solid};
use crate::pictures::shapes::leaf;

pub(super) fn candle(c: &mut Canvas, (x, y): (f32, f32), h: f32) {
    c.oval(x + 3.0, y + 2.0, 25.0, 6.0, sheer(SHADOW, 0.4));
    c.round(
        (x - 19.0, y - h, 38.0, h),
        6.0,
        linear(
            (x - 19.0, 0.0),
            (x + 19.0, 0.0),
            &[0xfffbf0, 0xf3e0c0, 0xd2b48a],
        ),
    );
    c.oval(x, y - h, 19.0, 5.0, solid(0xfff4d8));
    c.glow(x, y - h - 16.0, 100.0, 0xffb84a, 0.55);
    c.at((x, y - h - 2.0), -90.0, 1.0, |c| {
        c.fill(leaf(32.0, 9.0), solid(0xffd05a));
    });
    c.at((x, y - h - 3.0), -90.0, 1.0, |c| {
        c.fill(leaf(18.0, 5.0), solid(0xfff6dc));
    });
}

pub(super) fn flower(c: &mut Canvas, (x, y): (f32, f32), r: f32, hex: u32) {
    c.glow(x + 6.0, y + 10.0, r * 1.2, SHADOW, 0.25);
    for layer in 0..2 {
        for n in 0..6 {
            let length = r * (1.0 - layer as f32 * 0.32);
            c.at((x, y), n as f32 * 60.0 + layer as f32 * 30.0, 1.0, |c| {
                c.fill(
                    leaf(length, length * 0.55),
                    linear(
                        (0.0, 0.0),
                        (length, 0.0),
                        &[darker(hex, 0.12), hex, lighter(hex, 0.55)],
                    ),
                );
            });
        }
    }
    c.ball(x, y, r * 0.2, 0xf9c83a);
}
