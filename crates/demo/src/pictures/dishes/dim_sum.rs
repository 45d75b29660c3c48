//! Bamboo steamers full of dumplings.

use crate::pictures::canvas::Canvas;
use crate::pictures::ink::{darker, linear, radial, sheer, solid};
use crate::pictures::shapes::{around, bow, polyline};
use crate::pictures::table::{chopsticks, dip, steam, table, tea};

pub(in crate::pictures) fn dim_sum(c: &mut Canvas, v: u32) {
    table(c, [0, 4, 5, 2, 1][v as usize % 5]);
    tea(c, 690.0, 480.0, 74.0);
    dip(c, 110.0, 110.0, 62.0, 0x4a1c12);
    basket(c, (290.0, 350.0), 205.0, v);
    basket(c, (585.0, 195.0), 165.0, v + 1);
    chopsticks(c, (560.0, 545.0), -14.0, 0x3a221c);
    steam(c, 290.0, 330.0, 200.0);
    steam(c, 585.0, 190.0, 150.0);
}

fn basket(c: &mut Canvas, (x, y): (f32, f32), r: f32, filling: u32) {
    c.shadow(x, y, r);
    c.circle(
        x,
        y,
        r,
        linear(
            (x - r, y - r),
            (x + r, y + r),
            &[0xf0cf92, 0xc99852, 0x8a5f2c],
        ),
    );
    for n in 0..60 {
        let degrees = n as f32 * 6.0;
        let line = polyline(&[
            around(x, y, r * 0.9, degrees),
            around(x, y, r * 0.99, degrees + 2.0),
        ]);
        c.line(line, 1.6, sheer(0x6a421a, 0.4));
    }
    c.ring(x, y, r * 0.89, 5.0, sheer(0x7a5222, 0.8));
    c.circle(
        x,
        y,
        r * 0.86,
        radial(x, y, r, &[(0.0, 0xf3e0b4, 1.0), (1.0, 0xb88c4c, 1.0)]),
    );
    for n in 0..9 {
        let at = x - r * 0.72 + n as f32 * r * 0.18;
        let half = ((r * 0.84).powi(2) - (at - x).powi(2)).sqrt();
        c.rect((at - 2.0, y - half, 4.0, half * 2.0), sheer(0x9a6e34, 0.35));
    }
    for n in 0..7 {
        let (px, py) = if n == 0 {
            (x, y)
        } else {
            around(x, y, r * 0.54, n as f32 * 60.0)
        };
        dumpling(c, (px, py), r * 0.255, filling);
    }
}

fn dumpling(c: &mut Canvas, (x, y): (f32, f32), r: f32, filling: u32) {
    let tone = [0xfbf1e2, 0xf7b99a, 0xf2cf5a, 0xd6e6b8][filling as usize % 4];
    c.ball(x, y, r, tone);
    let folds = 12;
    for n in 0..folds {
        let degrees = n as f32 * 360.0 / folds as f32;
        let fold = bow(
            around(x, y, r * 0.14, degrees),
            around(x, y, r * 0.5, degrees + 22.0),
            around(x, y, r * 0.86, degrees + 12.0),
        );
        c.line(fold, 2.2, sheer(darker(tone, 0.5), 0.35));
    }
    let heart = [0xf0d8b8, 0xe85a2a, 0xe98a1a, 0x6fa53c][filling as usize % 4];
    c.circle(x, y, r * 0.17, solid(heart));
}
