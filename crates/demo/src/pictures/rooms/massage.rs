//! A massage room: bamboo, lanterns, a bed.

use super::bits::candle;
use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, down, lighter, linear, sheer, solid};
use crate::pictures::interior::{FLOOR, room};
use crate::pictures::shapes::{bow, polygon, polyline};
use crate::pictures::table::{garnish, steam};

pub(in crate::pictures) fn massage(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32, u32); 4] = [
        (0x8a6a50, 0x5a4030, 0xf3e6d2),
        (0x4a5a50, 0x6a503c, 0xe6d2b0),
        (0xd9c2a4, 0x9a7450, 0xfaf6ee),
        (0x5a3f3a, 0x4a3026, 0xe9c8a0),
    ];
    let (wall, floor, linen) = LOOKS[v as usize % 4];
    room(c, wall, floor);
    bamboo(c, v);
    c.glow(400.0, 130.0, 360.0, 0xffd080, 0.35);
    for x in [250.0, 550.0] {
        lantern(c, (x, 130.0));
    }
    bed(c, linen);
    for n in 0..3 {
        let y = 318.0 - n as f32 * 26.0;
        c.round(
            (560.0 - n as f32 * 4.0, y, 90.0, 24.0),
            12.0,
            down(y, y + 24.0, &[0xffffff, [0xf2dcc2, 0xd9e6da][n % 2]]),
        );
    }
    basin(c, (150.0, 530.0));
    candle(c, (660.0, 545.0), 50.0);
    candle(c, (705.0, 560.0), 36.0);
}

fn bamboo(c: &mut Canvas, v: u32) {
    for n in 0..6 {
        let x = if n < 3 {
            30.0 + n as f32 * 38.0
        } else {
            660.0 + (n - 3) as f32 * 42.0
        };
        let green = [0x6f9a48, 0x8ab05a, 0x5a8640][(n + v as usize) % 3];
        c.rect(
            (x, 0.0, 17.0, FLOOR),
            linear(
                (x, 0.0),
                (x + 17.0, 0.0),
                &[lighter(green, 0.4), green, darker(green, 0.35)],
            ),
        );
        for k in 0..5 {
            let y = 40.0 + k as f32 * 88.0 + n as f32 * 13.0;
            c.rect((x - 2.0, y, 21.0, 5.0), solid(darker(green, 0.3)));
            garnish(
                c,
                (x + 8.0, y),
                if (k + n) % 2 == 0 { 25.0 } else { 150.0 },
                60.0,
                green,
            );
        }
    }
}

fn lantern(c: &mut Canvas, (x, y): (f32, f32)) {
    c.line(polyline(&[(x, 0.0), (x, y - 52.0)]), 2.5, solid(0x3a261c));
    c.glow(x, y, 150.0, 0xffc05a, 0.55);
    c.round(
        (x - 40.0, y - 52.0, 80.0, 104.0),
        26.0,
        linear(
            (x - 40.0, 0.0),
            (x + 40.0, 0.0),
            &[0xf6b85a, 0xfff0c8, 0xe9a048],
        ),
    );
    for k in 0..6 {
        c.line(
            bow(
                (x - 38.0, y - 38.0 + k as f32 * 15.0),
                (x, y - 31.0 + k as f32 * 15.0),
                (x + 38.0, y - 38.0 + k as f32 * 15.0),
            ),
            1.8,
            sheer(0x8a4a1c, 0.45),
        );
    }
    c.rect((x - 22.0, y - 58.0, 44.0, 8.0), solid(0x4a2c1c));
    c.rect((x - 22.0, y + 50.0, 44.0, 8.0), solid(0x4a2c1c));
}

fn bed(c: &mut Canvas, linen: u32) {
    c.oval(400.0, 530.0, 330.0, 26.0, sheer(SHADOW, 0.5));
    c.rect((140.0, 420.0, 26.0, 104.0), solid(0x5a3824));
    c.rect((636.0, 420.0, 26.0, 104.0), solid(0x5a3824));
    c.round(
        (110.0, 372.0, 580.0, 66.0),
        24.0,
        down(372.0, 438.0, &[0x9a6a44, 0x5a3824]),
    );
    c.round(
        (100.0, 340.0, 600.0, 60.0),
        28.0,
        down(
            340.0,
            400.0,
            &[lighter(linen, 0.5), linen, darker(linen, 0.15)],
        ),
    );
    c.round(
        (300.0, 336.0, 230.0, 108.0),
        12.0,
        linear((300.0, 336.0), (530.0, 440.0), &[0xc86a4a, 0x8a3a2c]),
    );
    c.round(
        (120.0, 306.0, 140.0, 50.0),
        24.0,
        down(306.0, 356.0, &[0xffffff, 0xe6dccc]),
    );
}

fn basin(c: &mut Canvas, (x, y): (f32, f32)) {
    c.oval(x, y + 44.0, 92.0, 14.0, sheer(SHADOW, 0.5));
    c.fill(
        polygon(&[
            (x - 92.0, y - 14.0),
            (x + 92.0, y - 14.0),
            (x + 72.0, y + 46.0),
            (x - 72.0, y + 46.0),
        ]),
        linear(
            (x - 92.0, 0.0),
            (x + 92.0, 0.0),
            &[0xd9a86c, 0xa87240, 0x6a4222],
        ),
    );
    c.oval(x, y - 14.0, 92.0, 24.0, solid(0xb8844c));
    c.oval(
        x,
        y - 13.0,
        82.0,
        19.0,
        linear((x - 80.0, 0.0), (x + 80.0, 0.0), &[0x8ac8d0, 0x4a94a4]),
    );
    for n in 0..9 {
        let (px, py) = (
            x - 60.0 + n as f32 * 15.0,
            y - 15.0 + (n * 5 % 4) as f32 * 4.0,
        );
        c.oval(
            px,
            py,
            8.0,
            4.0,
            solid([0xf26a7a, 0xf9b0b8, 0xd83a52][n % 3]),
        );
    }
    steam(c, x, y - 20.0, 90.0);
}
