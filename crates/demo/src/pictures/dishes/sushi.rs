//! Sushi on a board.

use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, down, lighter, linear, radial, sheer, solid};
use crate::pictures::shapes::{bow, in_disc, leaf};
use crate::pictures::table::{chopsticks, dip, garnish, table, tea};

pub(in crate::pictures) fn sushi(c: &mut Canvas, v: u32) {
    table(c, [3, 1, 4, 2, 5][v as usize % 5]);
    let board = (90.0, 110.0, 560.0, 330.0);
    c.shadow_rect(board, 14.0);
    let hex = [0xc99862, 0x3a3638, 0xd9b07a, 0x4a565c, 0xb88654][v as usize % 5];
    c.round(
        board,
        14.0,
        linear(
            (90.0, 110.0),
            (650.0, 440.0),
            &[lighter(hex, 0.25), hex, darker(hex, 0.2)],
        ),
    );
    const TOPS: [u32; 5] = [0xf57a48, 0xc92c3c, 0xf6d060, 0xf7a080, 0xf3e2d6];
    for n in 0..4 {
        let top = TOPS[(n + v) as usize % 5];
        c.at((175.0 + n as f32 * 125.0, 200.0), 102.0, 1.2, |c| {
            nigiri(c, top);
        });
    }
    for n in 0..5 {
        roll(
            c,
            (155.0 + n as f32 * 88.0, 355.0),
            TOPS[(n + v * 2) as usize % 5],
        );
    }
    for n in 0..5 {
        let (px, py) = in_disc(610.0, 370.0, 16.0, &mut c.random);
        c.at((px, py), n as f32 * 70.0, 1.0, |c| {
            c.fill(leaf(40.0, 16.0), sheer(0xf9c4b4, 0.95));
        });
    }
    c.ball(600.0, 300.0, 20.0, 0x9ac24a);
    dip(c, 715.0, 170.0, 66.0, 0x2c120c);
    tea(c, 715.0, 350.0, 62.0);
    chopsticks(c, (380.0, 510.0), -4.0, 0x2a1a18);
    garnish(c, (70.0, 470.0), -20.0, 90.0, 0x4f9635);
}

fn nigiri(c: &mut Canvas, top: u32) {
    c.round((-58.0, -18.0, 128.0, 54.0), 26.0, sheer(SHADOW, 0.45));
    c.round(
        (-60.0, -26.0, 122.0, 52.0),
        25.0,
        down(-26.0, 26.0, &[0xfffffc, 0xe6decc]),
    );
    c.round(
        (-66.0, -24.0, 134.0, 42.0),
        20.0,
        down(-24.0, 18.0, &[lighter(top, 0.35), top, darker(top, 0.18)]),
    );
    for n in 0..5 {
        let at = -46.0 + n as f32 * 24.0;
        c.line(
            bow((at, -20.0), (at + 16.0, -3.0), (at + 4.0, 15.0)),
            3.2,
            sheer(0xffffff, 0.55),
        );
    }
    c.line(
        bow((-50.0, -17.0), (0.0, -24.0), (48.0, -17.0)),
        4.0,
        sheer(0xffffff, 0.5),
    );
}

fn roll(c: &mut Canvas, (x, y): (f32, f32), heart: u32) {
    c.shadow(x, y, 38.0);
    c.circle(
        x,
        y,
        38.0,
        linear(
            (x - 38.0, y - 38.0),
            (x + 38.0, y + 38.0),
            &[0x3e5448, 0x14201a],
        ),
    );
    c.circle(x, y, 32.0, solid(0xfdfbf4));
    for _ in 0..26 {
        let (px, py) = in_disc(x, y, 28.0, &mut c.random);
        c.oval(px, py, 5.0, 2.6, sheer(0xc9c2b0, 0.5));
    }
    c.circle(
        x - 4.0,
        y - 3.0,
        13.0,
        radial(
            x - 7.0,
            y - 7.0,
            18.0,
            &[(0.0, lighter(heart, 0.4), 1.0), (1.0, heart, 1.0)],
        ),
    );
    c.circle(x + 9.0, y + 5.0, 8.0, solid(0x7ab84a));
    c.circle(x + 1.0, y + 11.0, 6.0, solid(0xf6d060));
}
