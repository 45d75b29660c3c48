//! A gym: weights, treadmill or mats.

use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, down, lighter, linear, sheer, solid};
use crate::pictures::interior::{FLOOR, plant, room, window};
use crate::pictures::shapes::{arc, bow, polygon, polyline};

pub(in crate::pictures) fn gym(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32, u32); 4] = [
        (0x3a4652, 0x5a6068, 0xf98a2a),
        (0xe8ecee, 0xb89a78, 0x2f8ac8),
        (0x2c323c, 0x3f4650, 0x5ad88a),
        (0xf0e6da, 0xc2a07a, 0xd84a5a),
    ];
    let (wall, floor, accent) = LOOKS[v as usize % 4];
    room(c, wall, floor);
    window(c, (60.0, 70.0, 300.0, 230.0), v == 2);
    c.round((430.0, 60.0, 320.0, 14.0), 7.0, solid(accent));
    c.glow(590.0, 70.0, 200.0, accent, 0.3);
    rack(c, (430.0, 190.0), accent);
    if v.is_multiple_of(2) {
        treadmill(c, (200.0, 540.0), accent);
    } else {
        yoga_mats(c, accent);
    }
    kettlebell(c, (470.0, 545.0), accent);
    kettlebell(c, (550.0, 565.0), 0x34363c);
    c.ball(680.0, 500.0, 68.0, lighter(accent, 0.2));
    plant(c, (398.0, FLOOR + 20.0), 110.0, 0x4a4a4e);
}

fn rack(c: &mut Canvas, (x, y): (f32, f32), accent: u32) {
    for shelf in 0..3 {
        let top = y + shelf as f32 * 84.0;
        c.round(
            (x, top + 48.0, 320.0, 12.0),
            4.0,
            down(top + 48.0, top + 60.0, &[0x8a9098, 0x3a3e46]),
        );
        for n in 0..4 {
            let size = 15.0 + shelf as f32 * 4.0;
            dumbbell(
                c,
                (x + 42.0 + n as f32 * 79.0, top + 47.0 - size),
                size,
                if n % 2 == 0 { 0x2c2e34 } else { accent },
            );
        }
    }
    for side in [x, x + 310.0] {
        c.rect(
            (side, y + 20.0, 10.0, 236.0),
            down(y, y + 250.0, &[0x7a8088, 0x343840]),
        );
    }
}

fn dumbbell(c: &mut Canvas, (x, y): (f32, f32), r: f32, hex: u32) {
    c.rect(
        (x - 20.0, y - 4.0, 40.0, 8.0),
        down(y - 4.0, y + 4.0, &[0xf2f4f6, 0x7a7e86]),
    );
    for side in [-30.0, 16.0] {
        c.round(
            (x + side, y - r, 15.0, r * 2.0),
            5.0,
            down(y - r, y + r, &[lighter(hex, 0.45), hex, darker(hex, 0.3)]),
        );
    }
}

fn kettlebell(c: &mut Canvas, (x, y): (f32, f32), hex: u32) {
    c.oval(x, y + 34.0, 42.0, 9.0, sheer(SHADOW, 0.45));
    c.line(
        arc(x, y - 40.0, 24.0, 150.0, 390.0),
        12.0,
        solid(darker(hex, 0.35)),
    );
    c.ball(x, y, 37.0, hex);
}

fn treadmill(c: &mut Canvas, (x, y): (f32, f32), accent: u32) {
    c.oval(x, y + 26.0, 170.0, 14.0, sheer(SHADOW, 0.45));
    c.fill(
        polygon(&[
            (x - 160.0, y + 6.0),
            (x + 130.0, y - 22.0),
            (x + 150.0, y + 4.0),
            (x - 150.0, y + 26.0),
        ]),
        linear((x - 160.0, y), (x + 150.0, y), &[0x2a2c32, 0x5a5e66]),
    );
    c.line(
        polyline(&[(x - 152.0, y + 10.0), (x + 132.0, y - 16.0)]),
        5.0,
        solid(accent),
    );
    c.line(
        polyline(&[(x + 118.0, y - 20.0), (x + 88.0, y - 180.0)]),
        14.0,
        solid(0x8a9098),
    );
    c.line(
        bow(
            (x + 92.0, y - 160.0),
            (x + 40.0, y - 160.0),
            (x + 10.0, y - 140.0),
        ),
        10.0,
        solid(0x4a4e56),
    );
    c.at((x + 80.0, y - 195.0), -14.0, 1.0, |c| {
        c.round((-48.0, -30.0, 96.0, 56.0), 10.0, solid(0x22242a));
        c.round(
            (-40.0, -23.0, 80.0, 38.0),
            6.0,
            linear(
                (-40.0, -23.0),
                (40.0, 15.0),
                &[lighter(accent, 0.4), accent],
            ),
        );
    });
}

fn yoga_mats(c: &mut Canvas, accent: u32) {
    for (n, hex) in [accent, 0x8a6ac8, 0x4ab0a0].into_iter().enumerate() {
        let x = 40.0 + n as f32 * 130.0;
        let mat = polygon(&[
            (x + 60.0, 455.0),
            (x + 150.0, 455.0),
            (x + 110.0, 580.0),
            (x - 10.0, 580.0),
        ]);
        c.fill(
            mat,
            down(455.0, 580.0, &[darker(hex, 0.1), lighter(hex, 0.2)]),
        );
        c.round(
            (x - 14.0, 566.0, 128.0, 24.0),
            12.0,
            down(566.0, 590.0, &[lighter(hex, 0.4), darker(hex, 0.2)]),
        );
    }
}
