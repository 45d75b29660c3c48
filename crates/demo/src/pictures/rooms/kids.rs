//! A playground: castle, slide, ball pit.

use crate::pictures::canvas::Canvas;
use crate::pictures::ink::{darker, down, lighter, linear, sheer, solid};
use crate::pictures::interior::balloon;
use crate::pictures::shapes::{arc, bow, polygon, polyline};

pub(in crate::pictures) fn kids(c: &mut Canvas, v: u32) {
    const JOY: [u32; 6] = [0xf25a6a, 0xf9b83a, 0x4ab8e0, 0x8ad06a, 0xb08ae8, 0xff8a4a];
    let sky = [0xc8eaf8, 0xfde8d2, 0xe4e0f8, 0xd8f2e2][v as usize % 4];
    c.background(down(0.0, 600.0, &[sky, lighter(sky, 0.5)]));
    for (n, hex) in [0xf25a6a, 0xf9a03a, 0xf9d84a, 0x7ac86a, 0x4ab0e0, 0x9a7ad8]
        .into_iter()
        .enumerate()
    {
        c.line(
            arc(230.0, 400.0, 260.0 - n as f32 * 21.0, 180.0, 360.0),
            21.0,
            sheer(hex, 0.75),
        );
    }
    for (x, y, r) in [
        (90.0, 90.0, 34.0),
        (640.0, 70.0, 40.0),
        (380.0, 120.0, 28.0),
    ] {
        for k in -1_i32..=1 {
            c.circle(
                x + k as f32 * r,
                y + k.abs() as f32 * 7.0,
                r,
                sheer(0xffffff, 0.92),
            );
        }
    }
    castle(
        c,
        (560.0, 440.0),
        JOY[v as usize % 6],
        JOY[(v as usize + 2) % 6],
    );
    slide(c, JOY[(v as usize + 3) % 6]);
    for n in 0..4 {
        balloon(
            c,
            60.0 + n as f32 * 52.0,
            250.0 - (n % 2) as f32 * 52.0,
            30.0,
            JOY[(n + v as usize) % 6],
        );
    }
    for row in 0..5 {
        for n in 0..22 {
            let (dx, dy) = (c.random.range(-9.0, 9.0), c.random.range(-7.0, 7.0));
            let hex = c.random.pick(&JOY);
            c.ball(
                n as f32 * 38.0 + (row % 2) as f32 * 19.0 + dx,
                462.0 + row as f32 * 32.0 + dy,
                23.0,
                hex,
            );
        }
    }
}

fn castle(c: &mut Canvas, (x, y): (f32, f32), wall: u32, roof: u32) {
    for (dx, w, h) in [
        (-130.0, 84.0, 210.0),
        (130.0, 84.0, 210.0),
        (0.0, 150.0, 260.0),
    ] {
        let left = x + dx - w / 2.0;
        c.round(
            (left, y - h, w, h + 60.0),
            10.0,
            linear(
                (left, 0.0),
                (left + w, 0.0),
                &[lighter(wall, 0.55), lighter(wall, 0.2), wall],
            ),
        );
        let tip = (x + dx, y - h - w * 0.85);
        c.fill(
            polygon(&[
                (left - 14.0, y - h + 8.0),
                (left + w + 14.0, y - h + 8.0),
                tip,
            ]),
            linear(
                (left, 0.0),
                (left + w, 0.0),
                &[lighter(roof, 0.35), roof, darker(roof, 0.2)],
            ),
        );
        c.line(
            polyline(&[tip, (tip.0, tip.1 - 34.0)]),
            3.0,
            solid(0x6a5a5a),
        );
        c.fill(
            polygon(&[
                (tip.0, tip.1 - 34.0),
                (tip.0 + 28.0, tip.1 - 25.0),
                (tip.0, tip.1 - 16.0),
            ]),
            solid(0xf9d84a),
        );
        c.circle(x + dx, y - h + 62.0, 19.0, solid(0xffffff));
        c.circle(x + dx, y - h + 62.0, 14.0, solid(0x6ab8e0));
    }
    c.round(
        (x - 42.0, y - 112.0, 84.0, 180.0),
        42.0,
        solid(darker(wall, 0.25)),
    );
    c.circle(x + 26.0, y - 20.0, 5.0, solid(0xf9d84a));
}

fn slide(c: &mut Canvas, hex: u32) {
    c.line(
        polyline(&[(330.0, 440.0), (330.0, 250.0)]),
        13.0,
        solid(0xf9d84a),
    );
    c.line(
        polyline(&[(276.0, 440.0), (276.0, 250.0)]),
        13.0,
        solid(0xf9d84a),
    );
    for n in 0..5 {
        let y = 280.0 + n as f32 * 34.0;
        c.line(polyline(&[(276.0, y), (330.0, y)]), 9.0, solid(0xf2a03a));
    }
    let path = bow((330.0, 256.0), (400.0, 430.0), (500.0, 462.0));
    c.line(path.clone(), 54.0, solid(darker(hex, 0.2)));
    c.line(path.clone(), 42.0, solid(hex));
    c.line(path, 12.0, sheer(0xffffff, 0.4));
}
