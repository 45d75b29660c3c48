//! Varnish and painted nails on the table of a nail bar.

use super::bits::flower;
use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, down, lighter, linear, sheer, solid};
use crate::pictures::shapes::{around, bow, leaf, round_rect};
use crate::pictures::table::{garnish, plate, table};

/// Four varnishes that go together, one set per variant.
const VARNISHES: [[u32; 4]; 4] = [
    [0xd82a4a, 0xf9a8b0, 0xf3dccc, 0x8a2a4a],
    [0x5a7ac8, 0xb8c8f0, 0xf6f0f6, 0x3a3a6a],
    [0xe8a08a, 0xf6d2b8, 0xd9b45a, 0xa85a4a],
    [0x6aa88a, 0xd2e8d2, 0xf6eed8, 0x3d6a5a],
];

pub(in crate::pictures) fn nails(c: &mut Canvas, v: u32) {
    let set = VARNISHES[v as usize % 4];
    table(c, 4);
    c.glow(640.0, 60.0, 420.0, set[1], 0.45);
    plate(c, 300.0, 390.0, 190.0, lighter(set[1], 0.5));
    for n in 0..10 {
        let degrees = n as f32 * 36.0 - 90.0;
        let place = around(300.0, 390.0, 92.0, degrees);
        c.at(place, degrees + 90.0, 1.0, |c| nail(c, set, n));
    }
    flower(c, (300.0, 390.0), 40.0, set[1]);
    for (n, hex) in set.into_iter().enumerate() {
        varnish(
            c,
            (520.0 + n as f32 * 76.0, 470.0 + (n % 2) as f32 * 50.0),
            hex,
        );
    }
    brush(c, (560.0, 120.0), set[0]);
    for n in 0..3 {
        garnish(
            c,
            (30.0, 100.0),
            -20.0 + n as f32 * 34.0,
            130.0,
            [0x6aa87a, 0x8ac08a][n % 2],
        );
    }
    flower(c, (110.0, 130.0), 58.0, set[0]);
    for _ in 0..26 {
        let (px, py) = (c.random.range(380.0, 780.0), c.random.range(180.0, 330.0));
        let r = c.random.range(2.5, 6.0);
        let hex = c.random.pick(&set);
        c.ball(px, py, r, lighter(hex, 0.2));
    }
}

fn nail(c: &mut Canvas, set: [u32; 4], n: usize) {
    let shape = || round_rect(-25.0, -46.0, 50.0, 92.0, 25.0);
    let hex = set[n % 4];
    c.at((4.0, 6.0), 0.0, 1.0, |c| {
        c.fill(shape(), sheer(SHADOW, 0.35));
    });
    c.fill(
        shape(),
        linear(
            (-25.0, -46.0),
            (25.0, 46.0),
            &[lighter(hex, 0.35), hex, darker(hex, 0.1)],
        ),
    );
    match n % 5 {
        0 => c.fill(round_rect(-25.0, -46.0, 50.0, 30.0, 22.0), solid(0xffffff)),
        1 => {
            for k in 0..5 {
                let (px, py) = around(0.0, -12.0, 10.0, k as f32 * 72.0);
                c.circle(px, py, 6.5, solid(0xfff6f0));
            }
            c.circle(0.0, -12.0, 5.0, solid(0xf9c83a));
        }
        2 => {
            for k in 0..8 {
                let (px, py) = around(0.0, 4.0, 6.0 + k as f32 * 3.6, k as f32 * 95.0);
                c.circle(px * 0.7, py, 2.4, solid(0xfff0c0));
            }
        }
        3 => c.line(
            bow((-16.0, 30.0), (10.0, 0.0), (-6.0, -38.0)),
            9.0,
            sheer(0xffffff, 0.4),
        ),
        _ => {}
    }
    c.round((-16.0, -34.0, 8.0, 52.0), 4.0, sheer(0xffffff, 0.55));
}

fn varnish(c: &mut Canvas, (x, y): (f32, f32), hex: u32) {
    c.oval(x + 8.0, y + 4.0, 40.0, 12.0, sheer(SHADOW, 0.4));
    c.round(
        (x - 14.0, y - 178.0, 28.0, 96.0),
        8.0,
        linear(
            (x - 14.0, 0.0),
            (x + 14.0, 0.0),
            &[0x5a5458, 0x1c1a1e, 0x3a363a],
        ),
    );
    c.rect((x - 16.0, y - 88.0, 32.0, 8.0), solid(0xd9b45a));
    c.round(
        (x - 33.0, y - 82.0, 66.0, 86.0),
        18.0,
        linear(
            (x - 33.0, 0.0),
            (x + 33.0, 0.0),
            &[lighter(hex, 0.5), hex, darker(hex, 0.3)],
        ),
    );
    c.round((x - 24.0, y - 70.0, 9.0, 56.0), 4.0, sheer(0xffffff, 0.65));
}

fn brush(c: &mut Canvas, place: (f32, f32), hex: u32) {
    c.at(place, -16.0, 1.0, |c| {
        c.round((-150.0, 12.0, 300.0, 12.0), 6.0, sheer(SHADOW, 0.3));
        c.round(
            (-60.0, -6.0, 220.0, 14.0),
            7.0,
            down(-6.0, 8.0, &[0xf9e8b8, 0xd9b45a, 0x9a742c]),
        );
        c.rect(
            (-96.0, -5.0, 40.0, 12.0),
            down(-5.0, 7.0, &[0xf6f6f8, 0x9a9ca4]),
        );
        c.at((-94.0, 1.0), 180.0, 1.0, |c| {
            c.fill(leaf(62.0, 14.0), solid(hex));
        });
    });
}
