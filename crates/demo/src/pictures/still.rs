//! Still lifes for quiet places: stones and candles of a spa, bottles and nails of a nail bar.

use super::canvas::{Canvas, SHADOW, around, leaf, round_rect};
use super::daytime::candle;
use super::ink::{darker, down, lighter, linear, radial, sheer, solid};
use super::table::{garnish, plate, table};

pub(super) fn spa(c: &mut Canvas, v: u32) {
    const WATERS: [[u32; 3]; 4] = [
        [0xd8_f0_ee, 0x8a_cc_cc, 0x4a_96_9c],
        [0xfb_e6_dc, 0xf0_c0_b0, 0xc8_8a_80],
        [0xe6_ee_d8, 0xb0_cc_98, 0x6a_94_62],
        [0xe8_e2_f6, 0xb8_a8_dc, 0x7a_6a_ac],
    ];
    let water = WATERS[v as usize % 4];
    c.background(down(0.0, 600.0, &water));
    c.glow(180.0, 60.0, 420.0, 0xff_ff_ff, 0.7);
    for n in 0..7 {
        let (rx, alpha) = (110.0 + n as f32 * 62.0, 0.5 - n as f32 * 0.06);
        c.line(
            super::canvas::oval(330.0, 470.0, rx, rx * 0.24),
            3.5,
            sheer(0xff_ff_ff, alpha),
        );
    }
    stones(c, (330.0, 470.0));
    towels(c, (610.0, 470.0), water[1]);
    candle(c, (120.0, 520.0), 62.0);
    candle(c, (182.0, 545.0), 44.0);
    let petals = [0xf6_7a_a8, 0xff_ff_ff, 0xf9_c8_5a, 0xb0_6a_d8][v as usize % 4];
    flower(c, (330.0, 196.0), 74.0, petals);
    flower(c, (720.0, 545.0), 46.0, petals);
    for n in 0..4 {
        garnish(
            c,
            (30.0, 30.0),
            15.0 + n as f32 * 22.0,
            240.0,
            [0x5a_9a_5a, 0x7a_b8_6a][n % 2],
        );
    }
    for n in 0..3 {
        garnish(
            c,
            (790.0, 20.0),
            115.0 + n as f32 * 24.0,
            210.0,
            [0x6a_a8_62, 0x4f_8a_50][n % 2],
        );
    }
}

fn stones(c: &mut Canvas, (x, y): (f32, f32)) {
    c.oval(x + 10.0, y + 26.0, 150.0, 26.0, sheer(SHADOW, 0.35));
    let mut top = y;
    for (n, rx) in [130.0, 106.0, 82.0, 58.0].into_iter().enumerate() {
        let (ry, hex) = (
            rx * 0.37,
            [0x5a_5c_64, 0x74_70_72, 0x4a_4e_58, 0x86_80_7c][n],
        );
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
            sheer(0xff_ff_ff, 0.4),
        );
        top -= ry * 1.62;
    }
}

fn towels(c: &mut Canvas, (x, y): (f32, f32), hex: u32) {
    c.oval(x, y + 48.0, 140.0, 16.0, sheer(SHADOW, 0.35));
    for (dx, dy, tone) in [
        (-64.0, 0.0, 0xff_fb_f4),
        (64.0, 0.0, lighter(hex, 0.5)),
        (0.0, -88.0, 0xfb_f0_e4),
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
                    (0.0, 0xff_ff_ff, 1.0),
                    (0.6, tone, 1.0),
                    (1.0, darker(tone, 0.25), 1.0),
                ],
            ),
        );
        for n in 0..4 {
            let r = 44.0 - n as f32 * 11.0;
            c.line(
                super::canvas::arc(px, py, r, n as f32 * 50.0, n as f32 * 50.0 + 300.0),
                3.0,
                sheer(darker(tone, 0.4), 0.4),
            );
        }
    }
}

fn flower(c: &mut Canvas, (x, y): (f32, f32), r: f32, hex: u32) {
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
    c.ball(x, y, r * 0.2, 0xf9_c8_3a);
}

/// Four varnishes that go together, one set per variant.
const VARNISHES: [[u32; 4]; 4] = [
    [0xd8_2a_4a, 0xf9_a8_b0, 0xf3_dc_cc, 0x8a_2a_4a],
    [0x5a_7a_c8, 0xb8_c8_f0, 0xf6_f0_f6, 0x3a_3a_6a],
    [0xe8_a0_8a, 0xf6_d2_b8, 0xd9_b4_5a, 0xa8_5a_4a],
    [0x6a_a8_8a, 0xd2_e8_d2, 0xf6_ee_d8, 0x3d_6a_5a],
];

pub(super) fn nails(c: &mut Canvas, v: u32) {
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
            [0x6a_a8_7a, 0x8a_c0_8a][n % 2],
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
        c.fill(shape(), sheer(SHADOW, 0.35))
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
        0 => c.fill(
            round_rect(-25.0, -46.0, 50.0, 30.0, 22.0),
            solid(0xff_ff_ff),
        ),
        1 => {
            for k in 0..5 {
                let (px, py) = around(0.0, -12.0, 10.0, k as f32 * 72.0);
                c.circle(px, py, 6.5, solid(0xff_f6_f0));
            }
            c.circle(0.0, -12.0, 5.0, solid(0xf9_c8_3a));
        }
        2 => {
            for k in 0..8 {
                let (px, py) = around(0.0, 4.0, 6.0 + k as f32 * 3.6, k as f32 * 95.0);
                c.circle(px * 0.7, py, 2.4, solid(0xff_f0_c0));
            }
        }
        3 => c.line(
            super::canvas::bow((-16.0, 30.0), (10.0, 0.0), (-6.0, -38.0)),
            9.0,
            sheer(0xff_ff_ff, 0.4),
        ),
        _ => {}
    }
    c.round((-16.0, -34.0, 8.0, 52.0), 4.0, sheer(0xff_ff_ff, 0.55));
}

fn varnish(c: &mut Canvas, (x, y): (f32, f32), hex: u32) {
    c.oval(x + 8.0, y + 4.0, 40.0, 12.0, sheer(SHADOW, 0.4));
    c.round(
        (x - 14.0, y - 178.0, 28.0, 96.0),
        8.0,
        linear(
            (x - 14.0, 0.0),
            (x + 14.0, 0.0),
            &[0x5a_54_58, 0x1c_1a_1e, 0x3a_36_3a],
        ),
    );
    c.rect((x - 16.0, y - 88.0, 32.0, 8.0), solid(0xd9_b4_5a));
    c.round(
        (x - 33.0, y - 82.0, 66.0, 86.0),
        18.0,
        linear(
            (x - 33.0, 0.0),
            (x + 33.0, 0.0),
            &[lighter(hex, 0.5), hex, darker(hex, 0.3)],
        ),
    );
    c.round(
        (x - 24.0, y - 70.0, 9.0, 56.0),
        4.0,
        sheer(0xff_ff_ff, 0.65),
    );
}

fn brush(c: &mut Canvas, place: (f32, f32), hex: u32) {
    c.at(place, -16.0, 1.0, |c| {
        c.round((-150.0, 12.0, 300.0, 12.0), 6.0, sheer(SHADOW, 0.3));
        c.round(
            (-60.0, -6.0, 220.0, 14.0),
            7.0,
            down(-6.0, 8.0, &[0xf9_e8_b8, 0xd9_b4_5a, 0x9a_74_2c]),
        );
        c.rect(
            (-96.0, -5.0, 40.0, 12.0),
            down(-5.0, 7.0, &[0xf6_f6_f8, 0x9a_9c_a4]),
        );
        c.at((-94.0, 1.0), 180.0, 1.0, |c| {
            c.fill(leaf(62.0, 14.0), solid(hex))
        });
    });
}
