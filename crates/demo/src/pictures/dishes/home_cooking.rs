//! A plate of home cooking with rice and tea.

use tiny_skia::PathBuilder;

use super::bits::{cube, prawns};
use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, down, lighter, linear, radial, sheer, solid};
use crate::pictures::shapes::{around, blob, bow, in_disc};
use crate::pictures::table::{
    bowl, chopsticks, liquid, plate, scallions, sprinkle, steam, table, tea,
};

pub(in crate::pictures) fn home_cooking(c: &mut Canvas, v: u32) {
    table(c, v + 1);
    chopsticks(c, (640.0, 520.0), -8.0, 0x5a3020);
    let inside = bowl(c, 650.0, 140.0, 105.0, 0xe8eef0);
    rice(c, (650.0, 140.0), inside);
    let (x, y) = (320.0, 310.0);
    plate(
        c,
        x,
        y,
        240.0,
        [0xf7f3ea, 0xdce6ea, 0x354a55, 0xf3e7d3, 0xe4ece0, 0x3a3330][v as usize % 6],
    );
    match v % 3 {
        0 => braised_pork(c, (x, y)),
        1 => fish(c, (x, y), v),
        _ => stir_fry(c, (x, y), v),
    }
    tea(c, 650.0, 370.0, 62.0);
    steam(c, x, y - 30.0, 190.0);
}

fn rice(c: &mut Canvas, (x, y): (f32, f32), r: f32) {
    c.circle(
        x,
        y,
        r,
        radial(
            x - 20.0,
            y - 20.0,
            r * 1.2,
            &[(0.0, 0xffffff, 1.0), (1.0, 0xdcd6c8, 1.0)],
        ),
    );
    for _ in 0..150 {
        let place = in_disc(x, y, r * 0.9, &mut c.random);
        let (turn, shade) = (c.random.range(0.0, 180.0), c.random.range(0.0, 0.2));
        c.at(place, turn, 1.0, |c| {
            c.oval(0.6, 1.4, 6.5, 2.8, sheer(0x9a907a, 0.5));
            c.oval(0.0, 0.0, 6.5, 2.8, solid(darker(0xfffdf6, shade * 0.3)));
        });
    }
    sprinkle(c, (x, y, r * 0.4), 10, 0x1f1a18, 2.4);
}

fn braised_pork(c: &mut Canvas, (x, y): (f32, f32)) {
    liquid(c, x, y, 165.0, 0x8a3a18);
    for n in 0..12 {
        let ring = if n < 4 { 48.0 } else { 112.0 };
        let (px, py) = around(
            x,
            y,
            ring,
            n as f32 * if n < 4 { 90.0 } else { 45.0 } + 20.0,
        );
        let turn = c.random.range(-25.0, 25.0);
        c.at((px, py), turn, 1.0, |c| {
            cube(c, (0.0, 0.0), 62.0, 0xb04e22);
            c.round((-31.0, -31.0, 62.0, 16.0), 6.0, solid(0x7a2212));
            c.round((-31.0, -13.0, 62.0, 11.0), 4.0, solid(0xf0c292));
            c.round((-31.0, 10.0, 62.0, 7.0), 3.0, sheer(0xf0c292, 0.8));
            c.line(
                bow((-22.0, -25.0), (0.0, -29.0), (18.0, -25.0)),
                4.0,
                sheer(0xffffff, 0.55),
            );
        });
    }
    scallions(c, (x, y, 130.0), 26);
    sprinkle(c, (x, y, 140.0), 40, 0xfbeecc, 3.0);
}

fn fish(c: &mut Canvas, (x, y): (f32, f32), v: u32) {
    liquid(c, x, y, 170.0, [0xc26a20, 0x8a4a1c][v as usize % 2]);
    c.at((x, y), -20.0, 1.0, |c| {
        let body = fish_body();
        c.at((5.0, 12.0), 0.0, 1.0, |c| {
            c.fill(fish_body(), sheer(SHADOW, 0.45));
        });
        c.fill(body, down(-70.0, 70.0, &[0xf6d9a6, 0xd6934c, 0x7d421c]));
        for n in 0..5 {
            let at = -70.0 + n as f32 * 38.0;
            c.line(
                bow((at, -42.0), (at + 26.0, 0.0), (at, 42.0)),
                6.0,
                sheer(0x6a3012, 0.65),
            );
            c.line(
                bow((at + 5.0, -38.0), (at + 28.0, 0.0), (at + 5.0, 38.0)),
                3.0,
                sheer(0xfff2d8, 0.7),
            );
        }
        c.circle(-128.0, -12.0, 10.0, solid(0xffffff));
        c.circle(-128.0, -12.0, 5.0, solid(0x221a18));
    });
    for _ in 0..30 {
        let from = in_disc(x, y, 95.0, &mut c.random);
        let turn = c.random.range(0.0, 360.0);
        let tone = c.random.pick(&[0x6fb53c, 0xe9f2d0, 0xd42a1a, 0x8ccb4e]);
        let (to, by) = (
            around(from.0, from.1, 46.0, turn),
            around(from.0, from.1, 28.0, turn + 40.0),
        );
        c.line(bow(from, by, to), 4.0, solid(tone));
    }
}

fn fish_body() -> Option<tiny_skia::Path> {
    let mut path = PathBuilder::new();
    path.move_to(-165.0, 0.0);
    path.cubic_to(-120.0, -85.0, 50.0, -80.0, 120.0, -12.0);
    path.line_to(180.0, -58.0);
    path.quad_to(162.0, 0.0, 180.0, 58.0);
    path.line_to(120.0, 12.0);
    path.cubic_to(50.0, 80.0, -120.0, 85.0, -165.0, 0.0);
    path.close();
    path.finish()
}

fn stir_fry(c: &mut Canvas, (x, y): (f32, f32), v: u32) {
    const MIXES: [[u32; 4]; 2] = [
        [0x5aa53e, 0xf2c23c, 0xd83622, 0xf4e6c6],
        [0x4f9635, 0xf09a6a, 0xf6e9d0, 0x8a4a2a],
    ];
    let mix = MIXES[v as usize / 3 % 2];
    for n in 0..70 {
        let (px, py) = in_disc(x, y, 150.0, &mut c.random);
        let tone = mix[n % 4];
        let r = c.random.range(17.0, 30.0);
        let shape = blob(px, py, r, 0.45, &mut c.random);
        let below = shape
            .clone()
            .and_then(|p| p.transform(tiny_skia::Transform::from_translate(3.0, 6.0)));
        c.fill(below, sheer(SHADOW, 0.4));
        c.fill(
            shape,
            linear(
                (px - r, py - r),
                (px + r, py + r),
                &[lighter(tone, 0.4), tone, darker(tone, 0.25)],
            ),
        );
        c.oval(
            px - r * 0.3,
            py - r * 0.35,
            r * 0.22,
            r * 0.1,
            sheer(0xffffff, 0.6),
        );
    }
    if v.is_multiple_of(2) {
        prawns(c, (x - 10.0, y));
    }
    scallions(c, (x, y, 120.0), 16);
    sprinkle(c, (x, y, 140.0), 30, 0xfbeecc, 3.0);
}
