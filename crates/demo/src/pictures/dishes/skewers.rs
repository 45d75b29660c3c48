//! A tray of skewers from the grill, and beer.

use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, down, lighter, linear, radial, sheer, solid};
use crate::pictures::shapes::{bow, in_disc, round_rect};
use crate::pictures::table::{dip, garnish, sprinkle, steam, table};

pub(in crate::pictures) fn skewers(c: &mut Canvas, v: u32) {
    table(c, [3, 2, 3, 0, 2][v as usize % 5]);
    c.glow(200.0, 560.0, 420.0, 0xff6a1c, 0.35);
    let tray = (70.0, 130.0, 660.0, 350.0);
    c.shadow_rect(tray, 26.0);
    c.round(
        tray,
        26.0,
        linear(
            (70.0, 130.0),
            (730.0, 480.0),
            &[0x8a8f96, 0x5a5f68, 0x353840],
        ),
    );
    c.round(
        (88.0, 148.0, 624.0, 314.0),
        18.0,
        linear((88.0, 148.0), (700.0, 460.0), &[0x34363c, 0x4a4d55]),
    );
    for n in 0..7 {
        let place = (400.0, 175.0 + n as f32 * 43.0);
        let tilt = c.random.range(-3.0, 3.0);
        let food = (v + n / if v.is_multiple_of(2) { 7 } else { 3 }) % 4;
        c.at(place, tilt, 1.0, |c| skewer(c, food));
    }
    sprinkle(c, (400.0, 300.0, 190.0), 60, 0xc22014, 3.2);
    sprinkle(c, (400.0, 300.0, 200.0), 50, 0xf0d89a, 2.6);
    garnish(c, (640.0, 440.0), -30.0, 70.0, 0x5aa53e);
    garnish(c, (650.0, 450.0), 10.0, 60.0, 0x4f9635);
    dip(c, 690.0, 80.0, 60.0, 0xb82a14);
    beer(c, (110.0, 80.0));
    steam(c, 380.0, 220.0, 230.0);
}

fn skewer(c: &mut Canvas, food: u32) {
    c.round((-330.0, -1.0, 640.0, 5.0), 2.0, solid(0xd9b980));
    for n in 0..8 {
        let at = -200.0 + n as f32 * 58.0;
        let tone = match food {
            0 => [0x8a4222, 0xe0b080][usize::from(n % 3 == 2)],
            1 => [0xc97a2c, 0xb86222][n % 2],
            2 => [0xd84a2a, 0x5aa53e, 0x9a4a26][n % 3],
            _ => [0xf0c292, 0xb04e2a][n % 2],
        };
        let shape = round_rect(at, -19.0, 52.0, 38.0, 14.0);
        c.round((at + 3.0, -12.0, 52.0, 38.0), 14.0, sheer(SHADOW, 0.5));
        c.fill(
            shape,
            down(
                -19.0,
                19.0,
                &[lighter(tone, 0.35), tone, darker(tone, 0.45)],
            ),
        );
        c.line(
            bow((at + 12.0, -8.0), (at + 24.0, -13.0), (at + 38.0, -9.0)),
            3.0,
            sheer(0xffffff, 0.4),
        );
        c.line(
            bow((at + 10.0, 10.0), (at + 26.0, 6.0), (at + 42.0, 11.0)),
            3.0,
            sheer(SHADOW, 0.4),
        );
    }
}

fn beer(c: &mut Canvas, (x, y): (f32, f32)) {
    c.shadow(x, y, 66.0);
    c.circle(x, y, 66.0, sheer(0xe6f2f6, 0.75));
    c.circle(
        x,
        y,
        57.0,
        radial(x, y, 57.0, &[(0.0, 0xf6b82c, 1.0), (1.0, 0xc97a14, 1.0)]),
    );
    for _ in 0..46 {
        let (px, py) = in_disc(x, y, 44.0, &mut c.random);
        let r = c.random.range(6.0, 13.0);
        c.circle(
            px,
            py,
            r,
            radial(
                px - 3.0,
                py - 3.0,
                r * 1.4,
                &[(0.0, 0xffffff, 1.0), (1.0, 0xf3e6c4, 0.9)],
            ),
        );
    }
}
