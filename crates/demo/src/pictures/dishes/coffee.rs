//! A cup of coffee with something to bite.

use tiny_skia::PathBuilder;

use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{down, lighter, linear, radial, sheer, solid};
use crate::pictures::shapes::{arc, around, blob, bow, in_disc};
use crate::pictures::table::{bowl, liquid, plate, sprinkle, table};

pub(in crate::pictures) fn coffee(c: &mut Canvas, v: u32) {
    const CUPS: [u32; 6] = [0xf6f1e8, 0x355a6a, 0xe8a08a, 0x2c2a2c, 0xd9c9a8, 0x7a9a86];
    table(c, v);
    let (x, y) = (350.0, 320.0);
    let cup = CUPS[v as usize % 6];
    plate(c, x, y, 230.0, lighter(cup, 0.15));
    c.at((x, y), -35.0, 1.0, |c| {
        c.line(
            arc(178.0, 0.0, 40.0, -110.0, 110.0),
            22.0,
            sheer(SHADOW, 0.3),
        );
        c.line(arc(172.0, -5.0, 40.0, -110.0, 110.0), 22.0, solid(cup));
    });
    let inside = bowl(c, x, y, 168.0, cup);
    liquid(
        c,
        x,
        y,
        inside * 0.97,
        [0x8a522c, 0x7a4422, 0x9a6036][v as usize % 3],
    );
    match v % 3 {
        0 => rosetta(c, (x, y)),
        1 => heart(c, (x, y)),
        _ => crema(c, (x, y), inside),
    }
    spoon(c, (545.0, 490.0));
    if v.is_multiple_of(2) {
        croissant(c, (650.0, 165.0));
    } else {
        cookies(c, (650.0, 165.0));
    }
    for _ in 0..9 {
        let place = in_disc(95.0, 500.0, 70.0, &mut c.random);
        let turn = c.random.range(0.0, 180.0);
        c.at(place, turn, 1.0, bean);
    }
}

const MILK: u32 = 0xfbeed8;

fn rosetta(c: &mut Canvas, place: (f32, f32)) {
    c.at(place, 25.0, 1.0, |c| {
        for n in 0..7 {
            let (y, w) = (62.0 - n as f32 * 23.0, 96.0 - n as f32 * 11.0);
            c.line(
                bow((-w, y - 34.0), (0.0, y + 42.0), (w, y - 34.0)),
                13.0 - n as f32,
                solid(MILK),
            );
        }
        c.line(
            bow((0.0, 80.0), (0.0, 0.0), (0.0, -98.0)),
            6.0,
            solid(0x9a6238),
        );
        c.circle(0.0, -92.0, 14.0, solid(MILK));
    });
}

fn heart(c: &mut Canvas, place: (f32, f32)) {
    c.at(place, -15.0, 1.0, |c| {
        for (scale, hex) in [
            (1.25, 0xc29262),
            (1.08, MILK),
            (0.72, 0xc99c6e),
            (0.56, MILK),
        ] {
            c.at((0.0, 0.0), 0.0, scale, |c| c.fill(heart_path(), solid(hex)));
        }
    });
}

fn heart_path() -> Option<tiny_skia::Path> {
    let mut path = PathBuilder::new();
    path.move_to(0.0, 92.0);
    path.cubic_to(-120.0, 20.0, -92.0, -92.0, 0.0, -42.0);
    path.cubic_to(92.0, -92.0, 120.0, 20.0, 0.0, 92.0);
    path.close();
    path.finish()
}

fn crema(c: &mut Canvas, (x, y): (f32, f32), r: f32) {
    for n in 0..5 {
        c.line(
            arc(
                x,
                y,
                r * (0.85 - n as f32 * 0.15),
                n as f32 * 70.0,
                n as f32 * 70.0 + 250.0,
            ),
            9.0,
            sheer(0xe0b07a, 0.55),
        );
    }
    for _ in 0..40 {
        let (px, py) = in_disc(x, y, r * 0.85, &mut c.random);
        let size = c.random.range(2.0, 6.0);
        c.ring(px, py, size, 1.4, sheer(0xf3d8ae, 0.7));
    }
}

fn spoon(c: &mut Canvas, place: (f32, f32)) {
    c.at(place, -40.0, 1.0, |c| {
        c.round((-90.0, 6.0, 190.0, 9.0), 4.0, sheer(SHADOW, 0.35));
        c.round(
            (-90.0, -3.0, 190.0, 9.0),
            4.0,
            down(-3.0, 6.0, &[0xffffff, 0xb0b4ba, 0x70747c]),
        );
        c.oval(
            -106.0,
            2.0,
            34.0,
            21.0,
            linear((-140.0, -20.0), (-80.0, 20.0), &[0xf6f8fa, 0x9a9ea6]),
        );
        c.oval(
            -108.0,
            3.0,
            24.0,
            14.0,
            linear((-130.0, -10.0), (-80.0, 18.0), &[0x8a8e96, 0xe6e9ee]),
        );
    });
}

fn croissant(c: &mut Canvas, (x, y): (f32, f32)) {
    plate(c, x, y, 120.0, 0xf4efe6);
    c.at((x, y + 14.0), -20.0, 1.0, |c| {
        for n in 0..7 {
            let degrees = 200.0 + n as f32 * 23.3;
            let (px, py) = around(0.0, 20.0, 58.0, degrees);
            let r = 34.0 - (n as f32 - 3.0).abs() * 6.5;
            c.ball(px, py, r, [0xd98c3a, 0xc9762a][n % 2]);
            c.line(
                bow(
                    around(px, py, r * 0.8, degrees - 60.0),
                    (px, py),
                    around(px, py, r * 0.8, degrees + 170.0),
                ),
                2.5,
                sheer(0x7a3e12, 0.5),
            );
        }
    });
}

fn cookies(c: &mut Canvas, (x, y): (f32, f32)) {
    plate(c, x, y, 120.0, 0xe9eeea);
    for n in 0..3 {
        let (px, py) = around(x, y, 40.0, n as f32 * 120.0 + 15.0);
        c.shadow(px, py, 42.0);
        let shape = blob(px, py, 46.0, 0.08, &mut c.random);
        c.fill(
            shape,
            radial(
                px - 12.0,
                py - 12.0,
                60.0,
                &[(0.0, 0xe9b874, 1.0), (1.0, 0xb07434, 1.0)],
            ),
        );
        sprinkle(c, (px, py, 34.0), 11, 0x4a2616, 5.0);
    }
}

fn bean(c: &mut Canvas) {
    c.oval(2.0, 4.0, 15.0, 10.0, sheer(SHADOW, 0.4));
    c.oval(
        0.0,
        0.0,
        15.0,
        10.0,
        linear((-12.0, -10.0), (12.0, 10.0), &[0x8a5430, 0x3a1c0e]),
    );
    c.line(
        bow((-13.0, 0.0), (0.0, 5.0), (13.0, 0.0)),
        2.0,
        sheer(0x1c0c06, 0.8),
    );
}
