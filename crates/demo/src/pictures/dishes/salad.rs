//! A bowl of salad.

use super::bits::prawns;
use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{linear, radial, sheer, solid};
use crate::pictures::shapes::{around, in_disc};
use crate::pictures::table::{bowl, dip, garnish, scallions, sprinkle, table};

pub(in crate::pictures) fn salad(c: &mut Canvas, v: u32) {
    table(c, [4, 0, 5, 1, 3][v as usize % 5]);
    let (x, y) = (400.0, 305.0);
    let inside = bowl(
        c,
        x,
        y,
        245.0,
        [0xf3eee4, 0x3d5a4a, 0xd9c298, 0x5a7a8a, 0xf0eae0][v as usize % 5],
    );
    c.circle(x, y, inside, solid(0x3d6a2c));
    for n in 0..80 {
        let place = in_disc(x, y, inside * 0.84, &mut c.random);
        let green = [0x4f9635, 0x7ab84a, 0x9ccc5c, 0x5fa040][n % 4];
        let turn = c.random.range(0.0, 360.0);
        garnish(c, place, turn, 70.0, green);
    }
    let spot = |n: u32| around(x, y, inside * 0.58, (n * 60 + v * 25) as f32);
    avocado(c, spot(0));
    tomatoes(c, spot(1));
    corn(c, spot(2));
    half_eggs(c, spot(3));
    let (px, py) = spot(4);
    prawns(c, (px - 8.0, py + 18.0));
    for n in 0..9 {
        let (bx, by) = in_disc(spot(5).0, spot(5).1, 44.0, &mut c.random);
        c.ball(bx, by, 14.0, if n % 3 == 0 { 0x3a3a6a } else { 0xe6c994 });
    }
    radishes(c, (x, y));
    sprinkle(c, (x, y, inside * 0.8), 60, 0xfbeecc, 3.0);
    scallions(c, (x, y, inside * 0.5), 8);
    dip(c, 705.0, 500.0, 66.0, 0xe9b84a);
}

fn avocado(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..5 {
        c.at(
            (x - 44.0 + n as f32 * 21.0, y),
            -18.0 + n as f32 * 9.0,
            1.0,
            |c| {
                c.oval(4.0, 5.0, 16.0, 56.0, sheer(SHADOW, 0.4));
                c.oval(0.0, 0.0, 16.0, 56.0, solid(0x4a6a24));
                c.oval(
                    1.0,
                    0.0,
                    13.0,
                    52.0,
                    linear((-12.0, 0.0), (14.0, 0.0), &[0xa8c84e, 0xe9ec9a]),
                );
            },
        );
    }
}

fn tomatoes(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..5 {
        let (px, py) = around(x, y, if n == 0 { 0.0 } else { 40.0 }, n as f32 * 90.0);
        c.ball(px, py, 27.0, 0xe23222);
        c.ring(px, py, 17.0, 3.0, sheer(0xffa080, 0.7));
        sprinkle(c, (px, py, 13.0), 6, 0xf9d98a, 2.6);
    }
}

fn corn(c: &mut Canvas, (x, y): (f32, f32)) {
    for _ in 0..50 {
        let (px, py) = in_disc(x, y, 56.0, &mut c.random);
        let tone = c.random.pick(&[0xf9d23a, 0xf3bc22, 0xffe26a]);
        c.ball(px, py, 8.5, tone);
    }
}

fn half_eggs(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..2 {
        c.at(
            (x - 30.0 + n as f32 * 58.0, y + n as f32 * 12.0),
            40.0 + n as f32 * 60.0,
            1.0,
            |c| {
                c.oval(4.0, 6.0, 36.0, 29.0, sheer(SHADOW, 0.4));
                c.oval(
                    0.0,
                    0.0,
                    36.0,
                    28.0,
                    linear((-30.0, -30.0), (30.0, 30.0), &[0xffffff, 0xeee4d4]),
                );
                c.circle(
                    3.0,
                    0.0,
                    17.0,
                    radial(
                        -2.0,
                        -4.0,
                        20.0,
                        &[(0.0, 0xffd64c, 1.0), (1.0, 0xf09a1c, 1.0)],
                    ),
                );
            },
        );
    }
}

fn radishes(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..5 {
        let (px, py) = around(x, y, 34.0, n as f32 * 72.0);
        c.circle(px + 3.0, py + 5.0, 25.0, sheer(SHADOW, 0.35));
        c.circle(px, py, 25.0, solid(0xd83a6a));
        c.circle(
            px,
            py,
            22.0,
            radial(
                px,
                py,
                22.0,
                &[
                    (0.0, 0xffffff, 1.0),
                    (0.7, 0xfdeef2, 1.0),
                    (1.0, 0xf3c0d0, 1.0),
                ],
            ),
        );
    }
}
