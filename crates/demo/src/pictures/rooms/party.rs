//! A party house: bunting, balloons, cake or pool table.

use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{down, linear, sheer, solid};
use crate::pictures::interior::{
    FLOOR, balloon, bulb, cushion, low_table, mirror, plant, room, sofa, string_lights, window,
};
use crate::pictures::shapes::{bow, polygon, polyline};

pub(in crate::pictures) fn party(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32, u32); 4] = [
        (0xf3d9c2, 0xb8865a, 0x3a7a8a),
        (0x2f3a5a, 0x5a463c, 0xe07a4a),
        (0xd2e2d6, 0xa88058, 0xd85a5a),
        (0x4a3454, 0x6a4a3c, 0xe8b04a),
    ];
    const GAY: [u32; 5] = [0xf25a6a, 0xf9b83a, 0x4ab8c8, 0x8a6ad8, 0x7ac86a];
    let (wall, floor, seat) = LOOKS[v as usize % 4];
    room(c, wall, floor);
    window(c, (70.0, 120.0, 190.0, 190.0), v % 2 == 1);
    mirror(c, (520.0, 140.0, 210.0, 130.0), 8.0, 0x2a262a);
    bunting(c, 40.0, &GAY);
    string_lights(c, 14.0, 70.0, &GAY);
    for n in 0..6 {
        let (x, y) = (330.0 + n as f32 * 32.0, 200.0 - (n % 3) as f32 * 46.0);
        balloon(c, x, y, 31.0, GAY[(n + v as usize) % 5]);
    }
    sofa(c, (250.0, 345.0, 310.0), seat);
    cushion(c, (320.0, 385.0), GAY[v as usize % 5]);
    cushion(c, (500.0, 385.0), GAY[(v as usize + 2) % 5]);
    if v.is_multiple_of(2) {
        low_table(c, (405.0, 520.0), 0x8a5a38);
        birthday_cake(c, (405.0, 512.0), GAY[(v as usize + 1) % 5]);
    } else {
        pool_table(c);
    }
    plant(c, (725.0, FLOOR + 60.0), 130.0, 0xe6e0d6);
    for n in 0..50 {
        let (px, py) = (c.random.range(0.0, 800.0), c.random.range(60.0, 590.0));
        let turn = c.random.range(0.0, 180.0);
        c.at((px, py), turn, 1.0, |c| {
            c.rect((-5.0, -2.5, 10.0, 5.0), sheer(GAY[n % 5], 0.8));
        });
    }
}

fn bunting(c: &mut Canvas, y: f32, colours: &[u32]) {
    c.line(
        bow((0.0, y), (400.0, y + 120.0), (800.0, y)),
        3.0,
        solid(0xf3eadc),
    );
    for n in 0..15 {
        let t = (n as f32 + 0.5) / 15.0;
        let (x, top) = (t * 800.0, y + 4.0 * t * (1.0 - t) * 60.0);
        let flag = polygon(&[(x - 20.0, top), (x + 20.0, top), (x, top + 42.0)]);
        c.fill(flag, solid(colours[n % colours.len()]));
    }
}

fn birthday_cake(c: &mut Canvas, (x, y): (f32, f32), hex: u32) {
    for (w, top) in [(150.0, 58.0), (100.0, 104.0)] {
        c.round(
            (x - w / 2.0, y - top, w, 52.0),
            12.0,
            linear(
                (x - w / 2.0, 0.0),
                (x + w / 2.0, 0.0),
                &[0xfffbf4, 0xf3e2d2],
            ),
        );
        c.round((x - w / 2.0, y - top, w, 18.0), 9.0, solid(hex));
    }
    for n in 0..4 {
        let at = x - 33.0 + n as f32 * 22.0;
        c.rect(
            (at - 3.0, y - 128.0, 6.0, 26.0),
            solid([0x4ab8c8, 0xf9b83a][n % 2]),
        );
        bulb(c, at, y - 134.0, 5.0, 0xffc84a);
    }
}

fn pool_table(c: &mut Canvas) {
    c.oval(400.0, 580.0, 300.0, 22.0, sheer(SHADOW, 0.5));
    c.fill(
        polygon(&[
            (175.0, 480.0),
            (625.0, 480.0),
            (690.0, 575.0),
            (110.0, 575.0),
        ]),
        down(480.0, 575.0, &[0x7a4222, 0x4a2614]),
    );
    c.fill(
        polygon(&[
            (196.0, 488.0),
            (604.0, 488.0),
            (655.0, 560.0),
            (145.0, 560.0),
        ]),
        down(488.0, 560.0, &[0x1f7a5a, 0x2f9a70]),
    );
    for (n, hex) in [0xf6c82c, 0xd82a2a, 0x2f4ab8, 0xf27a2a, 0x3a2a6a, 0xffffff]
        .into_iter()
        .enumerate()
    {
        c.ball(
            300.0 + n as f32 * 42.0,
            512.0 + (n * 7 % 4) as f32 * 10.0,
            11.0,
            hex,
        );
    }
    c.line(
        polyline(&[(230.0, 545.0), (520.0, 505.0)]),
        4.0,
        solid(0xe0b87a),
    );
}
