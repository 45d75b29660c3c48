//! Stones, towels and flowers by the water of a spa.

use super::bits::{candle, flower};
use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, down, lighter, radial, sheer};
use crate::pictures::shapes::{arc, oval};
use crate::pictures::table::garnish;

pub(in crate::pictures) fn spa(c: &mut Canvas, v: u32) {
    const WATERS: [[u32; 3]; 4] = [
        [0xd8f0ee, 0x8acccc, 0x4a969c],
        [0xfbe6dc, 0xf0c0b0, 0xc88a80],
        [0xe6eed8, 0xb0cc98, 0x6a9462],
        [0xe8e2f6, 0xb8a8dc, 0x7a6aac],
    ];
    let water = WATERS[v as usize % 4];
    c.background(down(0.0, 600.0, &water));
    c.glow(180.0, 60.0, 420.0, 0xffffff, 0.7);
    for n in 0..7 {
        let (rx, alpha) = (110.0 + n as f32 * 62.0, 0.5 - n as f32 * 0.06);
        c.line(
            oval(330.0, 470.0, rx, rx * 0.24),
            3.5,
            sheer(0xffffff, alpha),
        );
    }
    stones(c, (330.0, 470.0));
    towels(c, (610.0, 470.0), water[1]);
    candle(c, (120.0, 520.0), 62.0);
    candle(c, (182.0, 545.0), 44.0);
    let petals = [0xf67aa8, 0xffffff, 0xf9c85a, 0xb06ad8][v as usize % 4];
    flower(c, (330.0, 196.0), 74.0, petals);
    flower(c, (720.0, 545.0), 46.0, petals);
    for n in 0..4 {
        garnish(
            c,
            (30.0, 30.0),
            15.0 + n as f32 * 22.0,
            240.0,
            [0x5a9a5a, 0x7ab86a][n % 2],
        );
    }
    for n in 0..3 {
        garnish(
            c,
            (790.0, 20.0),
            115.0 + n as f32 * 24.0,
            210.0,
            [0x6aa862, 0x4f8a50][n % 2],
        );
    }
}

fn stones(c: &mut Canvas, (x, y): (f32, f32)) {
    c.oval(x + 10.0, y + 26.0, 150.0, 26.0, sheer(SHADOW, 0.35));
    let mut top = y;
    for (n, rx) in [130.0, 106.0, 82.0, 58.0].into_iter().enumerate() {
        let (ry, hex) = (rx * 0.37, [0x5a5c64, 0x747072, 0x4a4e58, 0x86807c][n]);
        let dx = [0.0, -8.0, 7.0, -3.0][n];
        let ink = radial(
            x + dx - rx * 0.3,
            top - ry * 0.6,
            rx * 1.4,
            &[
                (0.0, lighter(hex, 0.5), 1.0),
                (0.5, hex, 1.0),
                (1.0, darker(hex, 0.5), 1.0),
            ],
        );
        c.oval(x + dx, top, rx, ry, ink);
        c.oval(
            x + dx - rx * 0.3,
            top - ry * 0.5,
            rx * 0.25,
            ry * 0.13,
            sheer(0xffffff, 0.4),
        );
        top -= ry * 1.62;
    }
}

fn towels(c: &mut Canvas, (x, y): (f32, f32), hex: u32) {
    c.oval(x, y + 48.0, 140.0, 16.0, sheer(SHADOW, 0.35));
    for (dx, dy, tone) in [
        (-64.0, 0.0, 0xfffbf4),
        (64.0, 0.0, lighter(hex, 0.5)),
        (0.0, -88.0, 0xfbf0e4),
    ] {
        let (px, py) = (x + dx, y + dy);
        c.circle(
            px,
            py,
            54.0,
            radial(
                px - 18.0,
                py - 18.0,
                78.0,
                &[
                    (0.0, 0xffffff, 1.0),
                    (0.6, tone, 1.0),
                    (1.0, darker(tone, 0.25), 1.0),
                ],
            ),
        );
        for n in 0..4 {
            let r = 44.0 - n as f32 * 11.0;
            c.line(
                arc(px, py, r, n as f32 * 50.0, n as f32 * 50.0 + 300.0),
                3.0,
                sheer(darker(tone, 0.4), 0.4),
            );
        }
    }
}
