//! Places of the day: hair salons, gyms, massage rooms, playgrounds.

use super::canvas::{Canvas, SHADOW, bow, polygon, polyline};
use super::ink::{darker, down, lighter, linear, sheer, solid};
use super::room::{FLOOR, balloon, bulb, mirror, pendant, plant, room, window};

pub(super) fn hair(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32, u32); 4] = [
        (0xf0_e2_d6, 0xc9_a8_84, 0xb8_5a_4a),
        (0x4a_5f_66, 0x8a_6a_50, 0xd9_a0_5a),
        (0xe4_ea_e0, 0xb0_98_7a, 0x3d_6a_5a),
        (0xf6_d8_d2, 0xd2_b8_a0, 0x5a_3a_4a),
    ];
    let (wall, floor, chair) = LOOKS[v as usize % 4];
    room(c, wall, floor);
    for (n, x) in [90.0, 315.0, 540.0].into_iter().enumerate() {
        let r = if v.is_multiple_of(2) { 85.0 } else { 14.0 };
        mirror(c, (x, 95.0, 170.0, 235.0), r, 0xd9_b4_72);
        if n != 1 || v % 2 == 1 {
            for k in 0..4 {
                bulb(c, x - 22.0, 130.0 + k as f32 * 52.0, 8.0, 0xff_d9_8a);
            }
        }
        c.round(
            (x - 10.0, 345.0, 190.0, 16.0),
            6.0,
            down(345.0, 361.0, &[0xe9_c9_98, 0xa8_7c_4c]),
        );
        for k in 0..5 {
            let hex = [0xd8_6a_5a, 0xf2_e2_c8, 0x5a_8a_8a, 0x2f_2a_2c, 0xe0_b0_4a]
                [(k + n + v as usize) % 5];
            let h = 24.0 + (k * 7 % 4) as f32 * 7.0;
            c.round(
                (x + 18.0 + k as f32 * 28.0, 345.0 - h, 18.0, h),
                5.0,
                linear(
                    (x + 18.0 + k as f32 * 28.0, 0.0),
                    (x + 36.0 + k as f32 * 28.0, 0.0),
                    &[lighter(hex, 0.4), hex],
                ),
            );
        }
        salon_chair(c, (x + 85.0, 545.0), chair);
    }
    plant(c, (755.0, FLOOR + 40.0), 150.0, 0xf2_ee_e6);
    pendant(c, 288.0, 74.0, chair);
    pendant(c, 512.0, 74.0, chair);
}

fn salon_chair(c: &mut Canvas, (x, y): (f32, f32), hex: u32) {
    c.oval(x, y + 6.0, 72.0, 14.0, sheer(SHADOW, 0.45));
    c.oval(
        x,
        y,
        46.0,
        10.0,
        linear((x - 46.0, 0.0), (x + 46.0, 0.0), &[0xf2_f2_f4, 0x8a_8c_94]),
    );
    c.rect(
        (x - 7.0, y - 46.0, 14.0, 46.0),
        linear((x - 7.0, 0.0), (x + 7.0, 0.0), &[0xf2_f2_f4, 0x7a_7c_84]),
    );
    c.round(
        (x - 50.0, y - 158.0, 100.0, 100.0),
        26.0,
        down(y - 158.0, y - 58.0, &[lighter(hex, 0.35), hex]),
    );
    c.round(
        (x - 58.0, y - 76.0, 116.0, 34.0),
        15.0,
        down(y - 76.0, y - 42.0, &[lighter(hex, 0.25), darker(hex, 0.25)]),
    );
    for side in [-66.0, 48.0] {
        c.round(
            (x + side, y - 104.0, 18.0, 52.0),
            9.0,
            solid(darker(hex, 0.35)),
        );
    }
}

pub(super) fn gym(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32, u32); 4] = [
        (0x3a_46_52, 0x5a_60_68, 0xf9_8a_2a),
        (0xe8_ec_ee, 0xb8_9a_78, 0x2f_8a_c8),
        (0x2c_32_3c, 0x3f_46_50, 0x5a_d8_8a),
        (0xf0_e6_da, 0xc2_a0_7a, 0xd8_4a_5a),
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
    kettlebell(c, (550.0, 565.0), 0x34_36_3c);
    c.ball(680.0, 500.0, 68.0, lighter(accent, 0.2));
    plant(c, (398.0, FLOOR + 20.0), 110.0, 0x4a_4a_4e);
}

fn rack(c: &mut Canvas, (x, y): (f32, f32), accent: u32) {
    for shelf in 0..3 {
        let top = y + shelf as f32 * 84.0;
        c.round(
            (x, top + 48.0, 320.0, 12.0),
            4.0,
            down(top + 48.0, top + 60.0, &[0x8a_90_98, 0x3a_3e_46]),
        );
        for n in 0..4 {
            let size = 15.0 + shelf as f32 * 4.0;
            dumbbell(
                c,
                (x + 42.0 + n as f32 * 79.0, top + 47.0 - size),
                size,
                if n % 2 == 0 { 0x2c_2e_34 } else { accent },
            );
        }
    }
    for side in [x, x + 310.0] {
        c.rect(
            (side, y + 20.0, 10.0, 236.0),
            down(y, y + 250.0, &[0x7a_80_88, 0x34_38_40]),
        );
    }
}

fn dumbbell(c: &mut Canvas, (x, y): (f32, f32), r: f32, hex: u32) {
    c.rect(
        (x - 20.0, y - 4.0, 40.0, 8.0),
        down(y - 4.0, y + 4.0, &[0xf2_f4_f6, 0x7a_7e_86]),
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
        super::canvas::arc(x, y - 40.0, 24.0, 150.0, 390.0),
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
        linear((x - 160.0, y), (x + 150.0, y), &[0x2a_2c_32, 0x5a_5e_66]),
    );
    c.line(
        polyline(&[(x - 152.0, y + 10.0), (x + 132.0, y - 16.0)]),
        5.0,
        solid(accent),
    );
    c.line(
        polyline(&[(x + 118.0, y - 20.0), (x + 88.0, y - 180.0)]),
        14.0,
        solid(0x8a_90_98),
    );
    c.line(
        bow(
            (x + 92.0, y - 160.0),
            (x + 40.0, y - 160.0),
            (x + 10.0, y - 140.0),
        ),
        10.0,
        solid(0x4a_4e_56),
    );
    c.at((x + 80.0, y - 195.0), -14.0, 1.0, |c| {
        c.round((-48.0, -30.0, 96.0, 56.0), 10.0, solid(0x22_24_2a));
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
    for (n, hex) in [accent, 0x8a_6a_c8, 0x4a_b0_a0].into_iter().enumerate() {
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

pub(super) fn massage(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32, u32); 4] = [
        (0x8a_6a_50, 0x5a_40_30, 0xf3_e6_d2),
        (0x4a_5a_50, 0x6a_50_3c, 0xe6_d2_b0),
        (0xd9_c2_a4, 0x9a_74_50, 0xfa_f6_ee),
        (0x5a_3f_3a, 0x4a_30_26, 0xe9_c8_a0),
    ];
    let (wall, floor, linen) = LOOKS[v as usize % 4];
    room(c, wall, floor);
    bamboo(c, v);
    c.glow(400.0, 130.0, 360.0, 0xff_d0_80, 0.35);
    for x in [250.0, 550.0] {
        lantern(c, (x, 130.0));
    }
    bed(c, linen);
    for n in 0..3 {
        let y = 318.0 - n as f32 * 26.0;
        c.round(
            (560.0 - n as f32 * 4.0, y, 90.0, 24.0),
            12.0,
            down(y, y + 24.0, &[0xff_ff_ff, [0xf2_dc_c2, 0xd9_e6_da][n % 2]]),
        );
    }
    basin(c, (150.0, 530.0));
    candle(c, (660.0, 545.0), 50.0);
    candle(c, (705.0, 560.0), 36.0);
}

fn bamboo(c: &mut Canvas, v: u32) {
    for n in 0..6 {
        let x = if n < 3 {
            30.0 + n as f32 * 38.0
        } else {
            660.0 + (n - 3) as f32 * 42.0
        };
        let green = [0x6f_9a_48, 0x8a_b0_5a, 0x5a_86_40][(n + v as usize) % 3];
        c.rect(
            (x, 0.0, 17.0, FLOOR),
            linear(
                (x, 0.0),
                (x + 17.0, 0.0),
                &[lighter(green, 0.4), green, darker(green, 0.35)],
            ),
        );
        for k in 0..5 {
            let y = 40.0 + k as f32 * 88.0 + n as f32 * 13.0;
            c.rect((x - 2.0, y, 21.0, 5.0), solid(darker(green, 0.3)));
            super::table::garnish(
                c,
                (x + 8.0, y),
                if (k + n) % 2 == 0 { 25.0 } else { 150.0 },
                60.0,
                green,
            );
        }
    }
}

fn lantern(c: &mut Canvas, (x, y): (f32, f32)) {
    c.line(polyline(&[(x, 0.0), (x, y - 52.0)]), 2.5, solid(0x3a_26_1c));
    c.glow(x, y, 150.0, 0xff_c0_5a, 0.55);
    c.round(
        (x - 40.0, y - 52.0, 80.0, 104.0),
        26.0,
        linear(
            (x - 40.0, 0.0),
            (x + 40.0, 0.0),
            &[0xf6_b8_5a, 0xff_f0_c8, 0xe9_a0_48],
        ),
    );
    for k in 0..6 {
        c.line(
            bow(
                (x - 38.0, y - 38.0 + k as f32 * 15.0),
                (x, y - 31.0 + k as f32 * 15.0),
                (x + 38.0, y - 38.0 + k as f32 * 15.0),
            ),
            1.8,
            sheer(0x8a_4a_1c, 0.45),
        );
    }
    c.rect((x - 22.0, y - 58.0, 44.0, 8.0), solid(0x4a_2c_1c));
    c.rect((x - 22.0, y + 50.0, 44.0, 8.0), solid(0x4a_2c_1c));
}

fn bed(c: &mut Canvas, linen: u32) {
    c.oval(400.0, 530.0, 330.0, 26.0, sheer(SHADOW, 0.5));
    c.rect((140.0, 420.0, 26.0, 104.0), solid(0x5a_38_24));
    c.rect((636.0, 420.0, 26.0, 104.0), solid(0x5a_38_24));
    c.round(
        (110.0, 372.0, 580.0, 66.0),
        24.0,
        down(372.0, 438.0, &[0x9a_6a_44, 0x5a_38_24]),
    );
    c.round(
        (100.0, 340.0, 600.0, 60.0),
        28.0,
        down(
            340.0,
            400.0,
            &[lighter(linen, 0.5), linen, darker(linen, 0.15)],
        ),
    );
    c.round(
        (300.0, 336.0, 230.0, 108.0),
        12.0,
        linear((300.0, 336.0), (530.0, 440.0), &[0xc8_6a_4a, 0x8a_3a_2c]),
    );
    c.round(
        (120.0, 306.0, 140.0, 50.0),
        24.0,
        down(306.0, 356.0, &[0xff_ff_ff, 0xe6_dc_cc]),
    );
}

fn basin(c: &mut Canvas, (x, y): (f32, f32)) {
    c.oval(x, y + 44.0, 92.0, 14.0, sheer(SHADOW, 0.5));
    c.fill(
        polygon(&[
            (x - 92.0, y - 14.0),
            (x + 92.0, y - 14.0),
            (x + 72.0, y + 46.0),
            (x - 72.0, y + 46.0),
        ]),
        linear(
            (x - 92.0, 0.0),
            (x + 92.0, 0.0),
            &[0xd9_a8_6c, 0xa8_72_40, 0x6a_42_22],
        ),
    );
    c.oval(x, y - 14.0, 92.0, 24.0, solid(0xb8_84_4c));
    c.oval(
        x,
        y - 13.0,
        82.0,
        19.0,
        linear((x - 80.0, 0.0), (x + 80.0, 0.0), &[0x8a_c8_d0, 0x4a_94_a4]),
    );
    for n in 0..9 {
        let (px, py) = (
            x - 60.0 + n as f32 * 15.0,
            y - 15.0 + (n * 5 % 4) as f32 * 4.0,
        );
        c.oval(
            px,
            py,
            8.0,
            4.0,
            solid([0xf2_6a_7a, 0xf9_b0_b8, 0xd8_3a_52][n % 3]),
        );
    }
    super::table::steam(c, x, y - 20.0, 90.0);
}

pub(super) fn candle(c: &mut Canvas, (x, y): (f32, f32), h: f32) {
    c.oval(x + 3.0, y + 2.0, 25.0, 6.0, sheer(SHADOW, 0.4));
    c.round(
        (x - 19.0, y - h, 38.0, h),
        6.0,
        linear(
            (x - 19.0, 0.0),
            (x + 19.0, 0.0),
            &[0xff_fb_f0, 0xf3_e0_c0, 0xd2_b4_8a],
        ),
    );
    c.oval(x, y - h, 19.0, 5.0, solid(0xff_f4_d8));
    c.glow(x, y - h - 16.0, 100.0, 0xff_b8_4a, 0.55);
    c.at((x, y - h - 2.0), -90.0, 1.0, |c| {
        c.fill(super::canvas::leaf(32.0, 9.0), solid(0xff_d0_5a))
    });
    c.at((x, y - h - 3.0), -90.0, 1.0, |c| {
        c.fill(super::canvas::leaf(18.0, 5.0), solid(0xff_f6_dc))
    });
}

pub(super) fn kids(c: &mut Canvas, v: u32) {
    const JOY: [u32; 6] = [
        0xf2_5a_6a, 0xf9_b8_3a, 0x4a_b8_e0, 0x8a_d0_6a, 0xb0_8a_e8, 0xff_8a_4a,
    ];
    let sky = [0xc8_ea_f8, 0xfd_e8_d2, 0xe4_e0_f8, 0xd8_f2_e2][v as usize % 4];
    c.background(down(0.0, 600.0, &[sky, lighter(sky, 0.5)]));
    for (n, hex) in [
        0xf2_5a_6a, 0xf9_a0_3a, 0xf9_d8_4a, 0x7a_c8_6a, 0x4a_b0_e0, 0x9a_7a_d8,
    ]
    .into_iter()
    .enumerate()
    {
        c.line(
            super::canvas::arc(230.0, 400.0, 260.0 - n as f32 * 21.0, 180.0, 360.0),
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
                sheer(0xff_ff_ff, 0.92),
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
            solid(0x6a_5a_5a),
        );
        c.fill(
            polygon(&[
                (tip.0, tip.1 - 34.0),
                (tip.0 + 28.0, tip.1 - 25.0),
                (tip.0, tip.1 - 16.0),
            ]),
            solid(0xf9_d8_4a),
        );
        c.circle(x + dx, y - h + 62.0, 19.0, solid(0xff_ff_ff));
        c.circle(x + dx, y - h + 62.0, 14.0, solid(0x6a_b8_e0));
    }
    c.round(
        (x - 42.0, y - 112.0, 84.0, 180.0),
        42.0,
        solid(darker(wall, 0.25)),
    );
    c.circle(x + 26.0, y - 20.0, 5.0, solid(0xf9_d8_4a));
}

fn slide(c: &mut Canvas, hex: u32) {
    c.line(
        polyline(&[(330.0, 440.0), (330.0, 250.0)]),
        13.0,
        solid(0xf9_d8_4a),
    );
    c.line(
        polyline(&[(276.0, 440.0), (276.0, 250.0)]),
        13.0,
        solid(0xf9_d8_4a),
    );
    for n in 0..5 {
        let y = 280.0 + n as f32 * 34.0;
        c.line(polyline(&[(276.0, y), (330.0, y)]), 9.0, solid(0xf2_a0_3a));
    }
    let path = bow((330.0, 256.0), (400.0, 430.0), (500.0, 462.0));
    c.line(path.clone(), 54.0, solid(darker(hex, 0.2)));
    c.line(path.clone(), 42.0, solid(hex));
    c.line(path, 12.0, sheer(0xff_ff_ff, 0.4));
}
