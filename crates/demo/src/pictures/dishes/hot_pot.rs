//! A hot pot, divided or not, with plates of what goes into it.

use tiny_skia::PathBuilder;

use super::bits::cube;
use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{down, linear, radial, sheer, solid};
use crate::pictures::shapes::{around, bow, in_disc};
use crate::pictures::table::{garnish, liquid, plate, scallions, steam, table};

pub(in crate::pictures) fn hot_pot(c: &mut Canvas, v: u32) {
    table(c, [2, 3, 0, 3, 2][v as usize % 5]);
    let red = [0xb82214, 0xc93a14, 0xa81c1c, 0xb82a10, 0xc22c1a][v as usize % 5];
    side_plate(c, (120.0, 120.0), v);
    side_plate(c, (690.0, 130.0), v + 1);
    side_plate(c, (110.0, 490.0), v + 2);
    side_plate(c, (690.0, 480.0), v + 3);
    let (x, y, r) = (400.0, 305.0, 215.0);
    c.shadow(x, y, r);
    c.circle(
        x,
        y,
        r,
        linear(
            (x - r, y - r),
            (x + r, y + r),
            &[0xf6e2c0, 0xb08a5a, 0x5a4026],
        ),
    );
    c.ring(x, y, r * 0.95, 4.0, sheer(0xffffff, 0.5));
    let inside = r * 0.88;
    liquid(c, x, y, inside, red);
    if v % 5 != 3 {
        milky_half(c, (x, y), inside, 20.0 + v as f32 * 30.0);
    }
    broth_life(c, (x, y), inside);
    steam(c, x, y, 230.0);
}

/// The mild half of a divided pot: a half disc swung by the two small ones of a taiji.
fn milky_half(c: &mut Canvas, place: (f32, f32), r: f32, degrees: f32) {
    c.at(place, degrees, 1.0, |c| {
        let mut path = PathBuilder::new();
        path.move_to(-r, 0.0);
        path.cubic_to(-r * 0.9, r * 0.55, -r * 0.1, r * 0.55, 0.0, 0.0);
        path.cubic_to(r * 0.1, -r * 0.55, r * 0.9, -r * 0.55, r, 0.0);
        for step in 1..=24 {
            let (px, py) = around(0.0, 0.0, r, -(step as f32) * 7.5);
            path.line_to(px, py);
        }
        path.close();
        let path = path.finish();
        let pale = [
            (0.0, 0xfff6dc, 1.0),
            (0.8, 0xf3dcac, 1.0),
            (1.0, 0xd2b074, 1.0),
        ];
        c.fill(path.clone(), radial(0.0, -r * 0.4, r, &pale));
        c.line(path, 7.0, linear((-r, -r), (r, r), &[0xf6ead2, 0x9a7a50]));
    });
}

fn broth_life(c: &mut Canvas, (x, y): (f32, f32), r: f32) {
    for _ in 0..13 {
        let place = in_disc(x, y, r * 0.8, &mut c.random);
        let turn = c.random.range(0.0, 360.0);
        c.at(place, turn, 1.0, |c| {
            c.line(
                bow((-20.0, 2.0), (0.0, 14.0), (20.0, 2.0)),
                10.0,
                sheer(SHADOW, 0.35),
            );
            c.line(
                bow((-20.0, 0.0), (0.0, 12.0), (20.0, 0.0)),
                9.0,
                solid(0xd41c14),
            );
            c.line(
                bow((-14.0, 1.0), (0.0, 8.0), (12.0, 1.0)),
                2.0,
                sheer(0xffc0a0, 0.8),
            );
        });
    }
    for _ in 0..9 {
        let (px, py) = in_disc(x, y, r * 0.75, &mut c.random);
        let size = c.random.range(17.0, 24.0);
        let tone = c.random.pick(&[0xf7ecdc, 0xe8b98c, 0xf2d6b8]);
        c.ball(px, py, size, tone);
    }
    scallions(c, (x, y, r * 0.85), 24);
    for _ in 0..40 {
        let (px, py) = in_disc(x, y, r * 0.92, &mut c.random);
        let size = c.random.range(3.0, 9.0);
        c.ring(px, py, size, 1.6, sheer(0xffe6b0, 0.55));
    }
}

fn side_plate(c: &mut Canvas, (x, y): (f32, f32), what: u32) {
    plate(
        c,
        x,
        y,
        98.0,
        [0xf4efe6, 0x2f4a5a, 0xe6eeea][what as usize % 3],
    );
    match what % 4 {
        0 => meat_rolls(c, (x, y)),
        1 => {
            for n in 0..7 {
                garnish(
                    c,
                    around(x, y, 12.0, n as f32 * 51.0),
                    n as f32 * 51.0,
                    56.0,
                    [0x4f9635, 0x7ab84a][n % 2],
                );
            }
        }
        2 => {
            for n in 0..9 {
                let place = (
                    x - 36.0 + (n % 3) as f32 * 36.0,
                    y - 36.0 + (n / 3) as f32 * 36.0,
                );
                cube(c, place, 30.0, 0xfaf0d8);
            }
        }
        _ => {
            for n in 0..8 {
                let (px, py) = around(x, y, if n == 0 { 0.0 } else { 42.0 }, n as f32 * 51.0);
                c.ball(px, py, 20.0, 0xc99a6a);
                c.circle(px, py, 7.0, sheer(0x6a4222, 0.6));
            }
        }
    }
}

fn meat_rolls(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..8 {
        let degrees = n as f32 * 45.0;
        let place = around(x, y, 36.0, degrees);
        c.at(place, degrees, 1.0, |c| {
            c.round((-26.0, -9.0, 56.0, 26.0), 12.0, sheer(SHADOW, 0.3));
            c.round(
                (-28.0, -13.0, 56.0, 26.0),
                12.0,
                down(-13.0, 13.0, &[0xf49a96, 0xd24a4c, 0x9c2630]),
            );
            c.line(
                bow((-20.0, -3.0), (0.0, -9.0), (22.0, -2.0)),
                3.5,
                sheer(0xfff0ea, 0.9),
            );
            c.line(
                bow((-18.0, 6.0), (2.0, 1.0), (20.0, 6.0)),
                2.5,
                sheer(0xfff0ea, 0.8),
            );
        });
    }
}
