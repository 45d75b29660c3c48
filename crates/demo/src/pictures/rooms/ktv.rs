//! A karaoke room: screen, neon, sofas.

use crate::pictures::canvas::Canvas;
use crate::pictures::ink::{darker, down, lighter, linear, radial, sheer, solid};
use crate::pictures::interior::{cushion, low_table, neon, room, sofa};
use crate::pictures::shapes::{arc, around, bow, polygon, polyline};

pub(in crate::pictures) fn ktv(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32, u32); 4] = [
        (0x2c1a4a, 0xff4ab8, 0x4ad8ff),
        (0x142448, 0x4ad8ff, 0xffc84a),
        (0x3a122c, 0xff8a3a, 0xff4a8a),
        (0x123038, 0x5affc8, 0xc86aff),
    ];
    let (wall, first, second) = LOOKS[v as usize % 4];
    room(c, wall, darker(wall, 0.2));
    for (n, x) in [120.0, 300.0, 500.0, 680.0].into_iter().enumerate() {
        let hex = [first, second][n % 2];
        let beam = polygon(&[
            (x - 6.0, 0.0),
            (x + 6.0, 0.0),
            (x + 110.0 - n as f32 * 50.0, 460.0),
            (x - 60.0 - n as f32 * 30.0, 460.0),
        ]);
        c.fill(beam, sheer(hex, 0.09));
    }
    screen(c, (first, second), v);
    neon(c, star((120.0, 180.0), 58.0), first);
    neon(c, arc(690.0, 180.0, 52.0, 0.0, 360.0), second);
    neon(
        c,
        polyline(&[
            (690.0, 205.0),
            (690.0, 152.0),
            (716.0, 144.0),
            (716.0, 190.0),
        ]),
        first,
    );
    disco_ball(c, (400.0, 58.0), [first, second]);
    sofa(c, (60.0, 390.0, 250.0), darker(first, 0.45));
    sofa(c, (490.0, 390.0, 250.0), darker(second, 0.5));
    cushion(c, (130.0, 420.0), second);
    cushion(c, (670.0, 420.0), first);
    low_table(c, (400.0, 520.0), 0x3a303c);
    microphone(c, (350.0, 508.0));
    for (n, x) in [445.0, 480.0, 512.0].into_iter().enumerate() {
        glass(c, (x, 514.0), [0xf6b82c, first, second][n]);
    }
}

fn screen(c: &mut Canvas, (first, second): (u32, u32), v: u32) {
    c.glow(400.0, 240.0, 300.0, second, 0.3);
    c.round((232.0, 122.0, 336.0, 216.0), 12.0, solid(0x0c0a12));
    c.round(
        (240.0, 130.0, 320.0, 200.0),
        8.0,
        linear(
            (240.0, 130.0),
            (560.0, 330.0),
            &[darker(first, 0.3), darker(second, 0.35), 0x1c1a3a],
        ),
    );
    c.circle(470.0, 196.0, 34.0, sheer(0xfff2cc, 0.85));
    for n in 0..4 {
        let y = 250.0 + n as f32 * 18.0;
        let bend = 34.0 - (v + n) as f32 * 5.0;
        let hill = bow((240.0, y), (400.0, y - bend * 2.0), (560.0, y + 6.0));
        c.line(
            hill,
            12.0,
            sheer(lighter(first, 0.2 + n as f32 * 0.15), 0.35),
        );
    }
    for (n, w) in [150.0, 96.0].into_iter().enumerate() {
        c.round(
            (400.0 - w / 2.0, 288.0 + n as f32 * 19.0, w, 9.0),
            4.0,
            sheer(0xffffff, 0.9),
        );
    }
    c.round((325.0, 288.0, 70.0, 9.0), 4.0, solid(first));
}

fn star((x, y): (f32, f32), r: f32) -> Option<tiny_skia::Path> {
    let points: Vec<(f32, f32)> = (0..10)
        .map(|n| {
            around(
                x,
                y,
                if n % 2 == 0 { r } else { r * 0.45 },
                n as f32 * 36.0 - 90.0,
            )
        })
        .collect();
    polygon(&points)
}

fn disco_ball(c: &mut Canvas, (x, y): (f32, f32), lights: [u32; 2]) {
    c.line(polyline(&[(x, 0.0), (x, y - 40.0)]), 2.0, solid(0xc0c0cc));
    c.glow(x, y, 130.0, 0xffffff, 0.3);
    c.circle(
        x,
        y,
        42.0,
        radial(
            x - 14.0,
            y - 14.0,
            60.0,
            &[
                (0.0, 0xffffff, 1.0),
                (0.5, 0xa8a8c0, 1.0),
                (1.0, 0x34304a, 1.0),
            ],
        ),
    );
    for row in 0..6 {
        for column in 0..7 {
            let (dx, dy) = (column as f32 * 12.0 - 36.0, row as f32 * 13.0 - 33.0);
            if dx * dx + dy * dy < 1400.0 && c.random.chance(55) {
                let hex = c.random.pick(&[0xffffff, lights[0], lights[1]]);
                c.rect((x + dx - 4.5, y + dy - 4.5, 9.0, 9.0), sheer(hex, 0.75));
            }
        }
    }
    for n in 0..40 {
        let (px, py) = (c.random.range(0.0, 800.0), c.random.range(20.0, 400.0));
        let size = c.random.range(2.0, 6.0);
        c.circle(px, py, size, sheer(lights[n % 2], 0.4));
    }
}

fn microphone(c: &mut Canvas, place: (f32, f32)) {
    c.at(place, 18.0, 1.0, |c| {
        c.round(
            (-6.0, -8.0, 92.0, 16.0),
            7.0,
            down(-8.0, 8.0, &[0x6a6a74, 0x1c1c22]),
        );
        c.circle(
            -14.0,
            0.0,
            18.0,
            radial(
                -20.0,
                -7.0,
                28.0,
                &[(0.0, 0xf2f2f6, 1.0), (1.0, 0x5a5a66, 1.0)],
            ),
        );
        c.rect((2.0, -10.0, 7.0, 20.0), solid(0xd9b04a));
    });
}

/// A tumbler on a table.
fn glass(c: &mut Canvas, (x, y): (f32, f32), drink: u32) {
    let side = polygon(&[
        (x - 14.0, y - 50.0),
        (x + 14.0, y - 50.0),
        (x + 10.0, y),
        (x - 10.0, y),
    ]);
    c.fill(side, sheer(0xffffff, 0.28));
    let inside = polygon(&[
        (x - 12.0, y - 34.0),
        (x + 12.0, y - 34.0),
        (x + 9.0, y - 3.0),
        (x - 9.0, y - 3.0),
    ]);
    c.fill(inside, down(y - 34.0, y, &[lighter(drink, 0.3), drink]));
    c.line(
        polyline(&[(x - 8.0, y - 44.0), (x - 6.0, y - 10.0)]),
        2.0,
        sheer(0xffffff, 0.8),
    );
}
