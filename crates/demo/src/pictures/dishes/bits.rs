//! Shapes that several dishes share.

use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, lighter, linear, sheer, solid};
use crate::pictures::shapes::{arc, around, polyline};

pub(super) fn prawns(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..4 {
        let place = (
            x + (n % 2) as f32 * 64.0 - 20.0,
            y - 60.0 + (n / 2) as f32 * 66.0,
        );
        c.at(place, n as f32 * 47.0, 1.0, |c| {
            c.line(arc(3.0, 6.0, 26.0, 20.0, 280.0), 24.0, sheer(SHADOW, 0.35));
            c.line(arc(0.0, 0.0, 26.0, 20.0, 280.0), 22.0, solid(0xf27b4a));
            c.line(arc(0.0, 0.0, 28.0, 25.0, 275.0), 9.0, solid(0xffb286));
            for band in 0..5 {
                let degrees = 50.0 + band as f32 * 48.0;
                c.line(
                    polyline(&[
                        around(0.0, 0.0, 17.0, degrees),
                        around(0.0, 0.0, 36.0, degrees + 5.0),
                    ]),
                    2.5,
                    sheer(0xd24624, 0.7),
                );
            }
        });
    }
}

/// A cube from above with a lit top and a dark lower edge.
pub(super) fn cube(c: &mut Canvas, (x, y): (f32, f32), size: f32, hex: u32) {
    let (left, top) = (x - size / 2.0, y - size / 2.0);
    c.round((left + 3.0, top + 6.0, size, size), 7.0, sheer(SHADOW, 0.4));
    c.round((left, top + 4.0, size, size), 7.0, solid(darker(hex, 0.35)));
    c.round(
        (left, top, size, size - 2.0),
        7.0,
        linear(
            (left, top),
            (left + size, top + size),
            &[lighter(hex, 0.35), hex],
        ),
    );
}
