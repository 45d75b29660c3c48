//! Places of the evening: KTV rooms, bars, party houses.

use super::canvas::{Canvas, SHADOW, around, bow, polygon, polyline, round_rect};
use super::ink::{darker, down, lighter, linear, radial, sheer, solid};
use super::room::{
    FLOOR, balloon, bulb, cushion, low_table, mirror, neon, pendant, plant, room, sofa,
    string_lights, window,
};

pub(super) fn ktv(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32, u32); 4] = [
        (0x2c_1a_4a, 0xff_4a_b8, 0x4a_d8_ff),
        (0x14_24_48, 0x4a_d8_ff, 0xff_c8_4a),
        (0x3a_12_2c, 0xff_8a_3a, 0xff_4a_8a),
        (0x12_30_38, 0x5a_ff_c8, 0xc8_6a_ff),
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
    neon(
        c,
        super::canvas::arc(690.0, 180.0, 52.0, 0.0, 360.0),
        second,
    );
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
    low_table(c, (400.0, 520.0), 0x3a_30_3c);
    microphone(c, (350.0, 508.0));
    for (n, x) in [445.0, 480.0, 512.0].into_iter().enumerate() {
        glass(c, (x, 514.0), [0xf6_b8_2c, first, second][n]);
    }
}

fn screen(c: &mut Canvas, (first, second): (u32, u32), v: u32) {
    c.glow(400.0, 240.0, 300.0, second, 0.3);
    c.round((232.0, 122.0, 336.0, 216.0), 12.0, solid(0x0c_0a_12));
    c.round(
        (240.0, 130.0, 320.0, 200.0),
        8.0,
        linear(
            (240.0, 130.0),
            (560.0, 330.0),
            &[darker(first, 0.3), darker(second, 0.35), 0x1c_1a_3a],
        ),
    );
    c.circle(470.0, 196.0, 34.0, sheer(0xff_f2_cc, 0.85));
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
            sheer(0xff_ff_ff, 0.9),
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
    c.line(polyline(&[(x, 0.0), (x, y - 40.0)]), 2.0, solid(0xc0_c0_cc));
    c.glow(x, y, 130.0, 0xff_ff_ff, 0.3);
    c.circle(
        x,
        y,
        42.0,
        radial(
            x - 14.0,
            y - 14.0,
            60.0,
            &[
                (0.0, 0xff_ff_ff, 1.0),
                (0.5, 0xa8_a8_c0, 1.0),
                (1.0, 0x34_30_4a, 1.0),
            ],
        ),
    );
    for row in 0..6 {
        for column in 0..7 {
            let (dx, dy) = (column as f32 * 12.0 - 36.0, row as f32 * 13.0 - 33.0);
            if dx * dx + dy * dy < 1400.0 && c.random.chance(55) {
                let hex = c.random.pick(&[0xff_ff_ff, lights[0], lights[1]]);
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
            down(-8.0, 8.0, &[0x6a_6a_74, 0x1c_1c_22]),
        );
        c.circle(
            -14.0,
            0.0,
            18.0,
            radial(
                -20.0,
                -7.0,
                28.0,
                &[(0.0, 0xf2_f2_f6, 1.0), (1.0, 0x5a_5a_66, 1.0)],
            ),
        );
        c.rect((2.0, -10.0, 7.0, 20.0), solid(0xd9_b0_4a));
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
    c.fill(side, sheer(0xff_ff_ff, 0.28));
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
        sheer(0xff_ff_ff, 0.8),
    );
}

pub(super) fn bar(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32); 4] = [
        (0x3a_22_1a, 0xff_b0_4a),
        (0x1a_2c_34, 0xff_c8_7a),
        (0x2c_18_30, 0xff_7a_9a),
        (0x1c_2a_1e, 0xf6_d8_6a),
    ];
    let (wall, light) = LOOKS[v as usize % 4];
    c.background(down(
        0.0,
        600.0,
        &[darker(wall, 0.3), wall, darker(wall, 0.4)],
    ));
    for shelf in 0..3 {
        let y = 145.0 + shelf as f32 * 92.0;
        c.glow(400.0, y, 460.0, light, 0.2);
        c.rect(
            (90.0, y - 84.0, 620.0, 84.0),
            down(
                y - 84.0,
                y,
                &[sheer_over(wall, light, 0.12), sheer_over(wall, light, 0.5)],
            ),
        );
        let mut x = 104.0;
        while x < 690.0 {
            let width = c.random.range(19.0, 30.0);
            bottle(c, (x, y, width));
            x += width + c.random.range(3.0, 9.0);
        }
        c.rect(
            (80.0, y, 640.0, 9.0),
            down(y, y + 9.0, &[0xb0_7a_48, 0x5a_36_20]),
        );
    }
    for x in [170.0, 400.0, 630.0] {
        pendant(
            c,
            x,
            62.0,
            [0xb8_8a_3a, 0x2f_5a_5a, 0x8a_2a_3a, 0x3a_3a_3a][v as usize % 4],
        );
    }
    counter(c, light);
    for n in 0..3 {
        let drink = [0xf2_4a_3a, 0x5a_c8_a0, 0xf6_b8_2c, 0xd8_6a_c8][(n + v) as usize % 4];
        cocktail(c, (190.0 + n as f32 * 205.0, 455.0), drink, (n + v) % 3);
    }
}

fn sheer_over(under: u32, over: u32, by: f32) -> u32 {
    super::ink::blend(under, over, by)
}

fn bottle(c: &mut Canvas, (x, y, w): (f32, f32, f32)) {
    let hex = c.random.pick(&[
        0x3d_7a_4a_u32,
        0xb8_6a_1c,
        0x8a_2c_2c,
        0xd9_d2_c0,
        0x2f_5a_8a,
        0xe0_a8_3a,
        0x5a_3a_6a,
    ]);
    let h = c.random.range(48.0, 60.0);
    c.round(
        (x + w * 0.34, y - h - 18.0, w * 0.32, 26.0),
        3.0,
        solid(darker(hex, 0.3)),
    );
    c.round(
        (x, y - h, w, h),
        7.0,
        linear(
            (x, 0.0),
            (x + w, 0.0),
            &[lighter(hex, 0.45), hex, darker(hex, 0.35)],
        ),
    );
    c.rect(
        (x + 2.0, y - h * 0.6, w - 4.0, h * 0.32),
        sheer(0xf6_ee_dc, 0.85),
    );
    c.rect(
        (x + 4.0, y - h + 5.0, 2.5, h - 12.0),
        sheer(0xff_ff_ff, 0.5),
    );
}

fn counter(c: &mut Canvas, light: u32) {
    c.rect(
        (0.0, 452.0, 800.0, 148.0),
        down(452.0, 600.0, &[0x6a_3e_26, 0x3a_20_14]),
    );
    for n in 0..8 {
        let x = n as f32 * 104.0 + 8.0;
        c.round(
            (x, 488.0, 88.0, 100.0),
            6.0,
            down(488.0, 588.0, &[0x7a_4a_2e, 0x4a_2a_1a]),
        );
    }
    c.rect(
        (0.0, 440.0, 800.0, 24.0),
        down(440.0, 464.0, &[0xd9_a0_68, 0x8a_54_30]),
    );
    c.glow(400.0, 445.0, 380.0, light, 0.25);
}

fn cocktail(c: &mut Canvas, (x, y): (f32, f32), drink: u32, shape: u32) {
    c.oval(x, y, 34.0, 7.0, sheer(SHADOW, 0.4));
    c.glow(x, y - 80.0, 90.0, drink, 0.35);
    if shape == 0 {
        c.line(
            polyline(&[(x, y - 4.0), (x, y - 66.0)]),
            4.0,
            sheer(0xff_ff_ff, 0.75),
        );
        c.oval(x, y - 3.0, 28.0, 5.0, sheer(0xff_ff_ff, 0.7));
        c.fill(
            polygon(&[(x - 56.0, y - 132.0), (x + 56.0, y - 132.0), (x, y - 62.0)]),
            sheer(0xff_ff_ff, 0.3),
        );
        c.fill(
            polygon(&[(x - 44.0, y - 118.0), (x + 44.0, y - 118.0), (x, y - 64.0)]),
            down(y - 118.0, y - 64.0, &[lighter(drink, 0.35), drink]),
        );
    } else {
        c.fill(
            round_rect(x - 31.0, y - 112.0, 62.0, 112.0, 9.0),
            sheer(0xff_ff_ff, 0.3),
        );
        c.fill(
            round_rect(x - 27.0, y - 90.0, 54.0, 86.0, 7.0),
            down(
                y - 90.0,
                y,
                &[lighter(drink, 0.5), drink, darker(drink, 0.15)],
            ),
        );
        for n in 0..3 {
            c.at(
                (x - 11.0 + (n % 2) as f32 * 20.0, y - 76.0 + n as f32 * 21.0),
                20.0 + n as f32 * 25.0,
                1.0,
                |c| {
                    c.round((-11.0, -11.0, 22.0, 22.0), 4.0, sheer(0xff_ff_ff, 0.45));
                },
            );
        }
        c.line(
            polyline(&[(x + 8.0, y - 20.0), (x + 26.0, y - 140.0)]),
            5.0,
            solid(0xf2_ee_e6),
        );
    }
    c.circle(x + 34.0, y - 122.0, 19.0, solid(0xf6_c8_2c));
    c.circle(x + 34.0, y - 122.0, 14.0, solid(0xff_e8_8a));
    super::table::garnish(c, (x - 22.0, y - 116.0), -120.0, 32.0, 0x5a_a5_4e);
}

pub(super) fn party(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32, u32); 4] = [
        (0xf3_d9_c2, 0xb8_86_5a, 0x3a_7a_8a),
        (0x2f_3a_5a, 0x5a_46_3c, 0xe0_7a_4a),
        (0xd2_e2_d6, 0xa8_80_58, 0xd8_5a_5a),
        (0x4a_34_54, 0x6a_4a_3c, 0xe8_b0_4a),
    ];
    const GAY: [u32; 5] = [0xf2_5a_6a, 0xf9_b8_3a, 0x4a_b8_c8, 0x8a_6a_d8, 0x7a_c8_6a];
    let (wall, floor, seat) = LOOKS[v as usize % 4];
    room(c, wall, floor);
    window(c, (70.0, 120.0, 190.0, 190.0), v % 2 == 1);
    mirror(c, (520.0, 140.0, 210.0, 130.0), 8.0, 0x2a_26_2a);
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
        low_table(c, (405.0, 520.0), 0x8a_5a_38);
        birthday_cake(c, (405.0, 512.0), GAY[(v as usize + 1) % 5]);
    } else {
        pool_table(c);
    }
    plant(c, (725.0, FLOOR + 60.0), 130.0, 0xe6_e0_d6);
    for n in 0..50 {
        let (px, py) = (c.random.range(0.0, 800.0), c.random.range(60.0, 590.0));
        let turn = c.random.range(0.0, 180.0);
        c.at((px, py), turn, 1.0, |c| {
            c.rect((-5.0, -2.5, 10.0, 5.0), sheer(GAY[n % 5], 0.8))
        });
    }
}

fn bunting(c: &mut Canvas, y: f32, colours: &[u32]) {
    c.line(
        bow((0.0, y), (400.0, y + 120.0), (800.0, y)),
        3.0,
        solid(0xf3_ea_dc),
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
                &[0xff_fb_f4, 0xf3_e2_d2],
            ),
        );
        c.round((x - w / 2.0, y - top, w, 18.0), 9.0, solid(hex));
    }
    for n in 0..4 {
        let at = x - 33.0 + n as f32 * 22.0;
        c.rect(
            (at - 3.0, y - 128.0, 6.0, 26.0),
            solid([0x4a_b8_c8, 0xf9_b8_3a][n % 2]),
        );
        bulb(c, at, y - 134.0, 5.0, 0xff_c8_4a);
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
        down(480.0, 575.0, &[0x7a_42_22, 0x4a_26_14]),
    );
    c.fill(
        polygon(&[
            (196.0, 488.0),
            (604.0, 488.0),
            (655.0, 560.0),
            (145.0, 560.0),
        ]),
        down(488.0, 560.0, &[0x1f_7a_5a, 0x2f_9a_70]),
    );
    for (n, hex) in [
        0xf6_c8_2c, 0xd8_2a_2a, 0x2f_4a_b8, 0xf2_7a_2a, 0x3a_2a_6a, 0xff_ff_ff,
    ]
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
        solid(0xe0_b8_7a),
    );
}
