//! A bar: lit shelves of bottles, cocktails on the counter.

use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{blend, darker, down, lighter, linear, sheer, solid};
use crate::pictures::interior::pendant;
use crate::pictures::shapes::{polygon, polyline, round_rect};
use crate::pictures::table::garnish;

pub(in crate::pictures) fn bar(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32); 4] = [
        (0x3a221a, 0xffb04a),
        (0x1a2c34, 0xffc87a),
        (0x2c1830, 0xff7a9a),
        (0x1c2a1e, 0xf6d86a),
    ];
    let (wall, light) = LOOKS[v as usize % 4];
    c.background(down(
        0.0,
        600.0,
        &[darker(wall, 0.3), wall, darker(wall, 0.4)],
    ));
    for shelf in 0..3 {
        let y = 145.0 + shelf as f32 * 92.0;
        c.glow(400.0, y, 460.0, light, 0.2);
        c.rect(
            (90.0, y - 84.0, 620.0, 84.0),
            down(
                y - 84.0,
                y,
                &[blend(wall, light, 0.12), blend(wall, light, 0.5)],
            ),
        );
        let mut x = 104.0;
        while x < 690.0 {
            let width = c.random.range(19.0, 30.0);
            bottle(c, (x, y, width));
            x += width + c.random.range(3.0, 9.0);
        }
        c.rect(
            (80.0, y, 640.0, 9.0),
            down(y, y + 9.0, &[0xb07a48, 0x5a3620]),
        );
    }
    for x in [170.0, 400.0, 630.0] {
        pendant(
            c,
            x,
            62.0,
            [0xb88a3a, 0x2f5a5a, 0x8a2a3a, 0x3a3a3a][v as usize % 4],
        );
    }
    counter(c, light);
    for n in 0..3 {
        let drink = [0xf24a3a, 0x5ac8a0, 0xf6b82c, 0xd86ac8][(n + v) as usize % 4];
        cocktail(c, (190.0 + n as f32 * 205.0, 455.0), drink, (n + v) % 3);
    }
}

fn bottle(c: &mut Canvas, (x, y, w): (f32, f32, f32)) {
    let hex = c.random.pick(&[
        0x3d7a4a, 0xb86a1c, 0x8a2c2c, 0xd9d2c0, 0x2f5a8a, 0xe0a83a, 0x5a3a6a,
    ]);
    let h = c.random.range(48.0, 60.0);
    c.round(
        (x + w * 0.34, y - h - 18.0, w * 0.32, 26.0),
        3.0,
        solid(darker(hex, 0.3)),
    );
    c.round(
        (x, y - h, w, h),
        7.0,
        linear(
            (x, 0.0),
            (x + w, 0.0),
            &[lighter(hex, 0.45), hex, darker(hex, 0.35)],
        ),
    );
    c.rect(
        (x + 2.0, y - h * 0.6, w - 4.0, h * 0.32),
        sheer(0xf6eedc, 0.85),
    );
    c.rect((x + 4.0, y - h + 5.0, 2.5, h - 12.0), sheer(0xffffff, 0.5));
}

fn counter(c: &mut Canvas, light: u32) {
    c.rect(
        (0.0, 452.0, 800.0, 148.0),
        down(452.0, 600.0, &[0x6a3e26, 0x3a2014]),
    );
    for n in 0..8 {
        let x = n as f32 * 104.0 + 8.0;
        c.round(
            (x, 488.0, 88.0, 100.0),
            6.0,
            down(488.0, 588.0, &[0x7a4a2e, 0x4a2a1a]),
        );
    }
    c.rect(
        (0.0, 440.0, 800.0, 24.0),
        down(440.0, 464.0, &[0xd9a068, 0x8a5430]),
    );
    c.glow(400.0, 445.0, 380.0, light, 0.25);
}

fn cocktail(c: &mut Canvas, (x, y): (f32, f32), drink: u32, shape: u32) {
    c.oval(x, y, 34.0, 7.0, sheer(SHADOW, 0.4));
    c.glow(x, y - 80.0, 90.0, drink, 0.35);
    if shape == 0 {
        c.line(
            polyline(&[(x, y - 4.0), (x, y - 66.0)]),
            4.0,
            sheer(0xffffff, 0.75),
        );
        c.oval(x, y - 3.0, 28.0, 5.0, sheer(0xffffff, 0.7));
        c.fill(
            polygon(&[(x - 56.0, y - 132.0), (x + 56.0, y - 132.0), (x, y - 62.0)]),
            sheer(0xffffff, 0.3),
        );
        c.fill(
            polygon(&[(x - 44.0, y - 118.0), (x + 44.0, y - 118.0), (x, y - 64.0)]),
            down(y - 118.0, y - 64.0, &[lighter(drink, 0.35), drink]),
        );
    } else {
        c.fill(
            round_rect(x - 31.0, y - 112.0, 62.0, 112.0, 9.0),
            sheer(0xffffff, 0.3),
        );
        c.fill(
            round_rect(x - 27.0, y - 90.0, 54.0, 86.0, 7.0),
            down(
                y - 90.0,
                y,
                &[lighter(drink, 0.5), drink, darker(drink, 0.15)],
            ),
        );
        for n in 0..3 {
            c.at(
                (x - 11.0 + (n % 2) as f32 * 20.0, y - 76.0 + n as f32 * 21.0),
                20.0 + n as f32 * 25.0,
                1.0,
                |c| {
                    c.round((-11.0, -11.0, 22.0, 22.0), 4.0, sheer(0xffffff, 0.45));
                },
            );
        }
        c.line(
            polyline(&[(x + 8.0, y - 20.0), (x + 26.0, y - 140.0)]),
            5.0,
            solid(0xf2eee6),
        );
    }
    c.circle(x + 34.0, y - 122.0, 19.0, solid(0xf6c82c));
    c.circle(x + 34.0, y - 122.0, 14.0, solid(0xffe88a));
    garnish(c, (x - 22.0, y - 116.0), -120.0, 32.0, 0x5aa54e);
}
