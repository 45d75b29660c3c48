//! A bowl of noodles: soup, strands, egg, meat or prawns.

use super::bits::prawns;
use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{down, linear, radial, sheer, solid};
use crate::pictures::shapes::{around, bow, in_disc};
use crate::pictures::table::{
    bowl, chopsticks, dip, garnish, liquid, scallions, sprinkle, steam, table,
};

pub(in crate::pictures) fn noodles(c: &mut Canvas, v: u32) {
    const BOWLS: [u32; 6] = [0x2f5d8a, 0xc23b2e, 0xf0eade, 0x2d2b2f, 0x3f7d6e, 0xd9a441];
    const SOUPS: [u32; 6] = [0xc97a2b, 0xb5421f, 0xe6c37d, 0x8a4b22, 0xd99a3e, 0xc25a2a];
    table(c, v);
    chopsticks(c, (655.0, 250.0), -62.0 + v as f32 * 6.0, 0x8a3a22);
    dip(c, 130.0, 480.0, 62.0, 0x9c2418);
    let (x, y) = (385.0, 300.0);
    let inside = bowl(c, x, y, 235.0, BOWLS[v as usize % 6]);
    liquid(c, x, y, inside, SOUPS[v as usize % 6]);
    strands(c, (x - 10.0, y + 20.0), inside * 0.72);
    greens(c, (x - 95.0, y + 70.0));
    if v.is_multiple_of(2) {
        beef(c, (x + 70.0, y + 55.0));
    } else {
        prawns(c, (x + 60.0, y + 70.0));
    }
    egg(c, (x - 60.0, y - 80.0), 52.0);
    if v % 3 == 1 {
        egg(c, (x + 45.0, y - 95.0), 48.0);
    }
    scallions(c, (x + 20.0, y - 10.0, 110.0), 26);
    sprinkle(c, (x, y, 150.0), 22, 0xc22014, 4.5);
    steam(c, x, y, 200.0);
}

/// A nest of noodles: bundles of bows, each with a dark edge below.
fn strands(c: &mut Canvas, (x, y): (f32, f32), r: f32) {
    for n in 0..90 {
        let from = in_disc(x, y, r, &mut c.random);
        let turn = (n as f32 * 4.0) + c.random.range(-30.0, 30.0);
        let length = c.random.range(60.0, 130.0);
        let mut to = around(from.0, from.1, length, turn);
        let away = ((to.0 - x).powi(2) + (to.1 - y).powi(2)).sqrt();
        if away > r {
            to = (x + (to.0 - x) * r / away, y + (to.1 - y) * r / away);
        }
        let by = around(
            (from.0 + to.0) / 2.0,
            (from.1 + to.1) / 2.0,
            34.0,
            turn + 90.0,
        );
        let tone = c.random.pick(&[0xf6de9c, 0xeecf82, 0xfbe9b8]);
        c.line(
            bow(
                (from.0, from.1 + 3.0),
                (by.0, by.1 + 3.0),
                (to.0, to.1 + 3.0),
            ),
            9.0,
            sheer(0x7a4a12, 0.4),
        );
        c.line(bow(from, by, to), 7.5, solid(tone));
        c.line(bow(from, by, to), 2.0, sheer(0xffffff, 0.35));
    }
}

fn egg(c: &mut Canvas, place: (f32, f32), r: f32) {
    c.at(place, -25.0, 1.0, |c| {
        c.oval(4.0, 8.0, r * 1.05, r * 0.85, sheer(SHADOW, 0.35));
        c.oval(
            0.0,
            0.0,
            r,
            r * 0.8,
            linear((-r, -r), (r, r), &[0xffffff, 0xf3e6d2]),
        );
        let yolk = radial(
            -6.0,
            -6.0,
            r * 0.6,
            &[
                (0.0, 0xffc93c, 1.0),
                (0.6, 0xf58a1f, 1.0),
                (1.0, 0xd96312, 1.0),
            ],
        );
        c.circle(2.0, 2.0, r * 0.46, yolk);
        c.oval(-8.0, -8.0, 8.0, 5.0, sheer(0xffffff, 0.8));
    });
}

fn beef(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..5 {
        let place = (x + (n % 2) as f32 * 34.0 - 6.0, y - 60.0 + n as f32 * 30.0);
        let turn = c.random.range(-18.0, 18.0);
        c.at(place, turn, 1.0, |c| {
            c.round((-48.0, -12.0, 104.0, 44.0), 18.0, sheer(SHADOW, 0.4));
            c.round(
                (-52.0, -22.0, 104.0, 44.0),
                18.0,
                down(-22.0, 22.0, &[0xb06544, 0x8a452e, 0x5f2a1c]),
            );
            c.line(
                bow((-40.0, -6.0), (0.0, -16.0), (42.0, -5.0)),
                4.0,
                sheer(0xe9b893, 0.8),
            );
            c.line(
                bow((-38.0, 8.0), (0.0, 0.0), (40.0, 9.0)),
                2.5,
                sheer(0xe9b893, 0.6),
            );
        });
    }
}

fn greens(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..4 {
        let degrees = 120.0 + n as f32 * 26.0;
        c.line(
            bow(
                (x + 40.0, y),
                (x + 10.0, y + 10.0),
                around(x, y, 26.0, degrees),
            ),
            13.0,
            solid(0xdceec0),
        );
        let place = around(x, y, 20.0, degrees);
        garnish(c, place, degrees, 74.0, [0x3f8a35, 0x5aa53e][n % 2]);
    }
}
