//! Cold dishes, cups and sweets from above: sushi, coffee, cakes, salads.

use super::canvas::{Canvas, SHADOW, around, blob, bow, in_disc, leaf};
use super::hot::prawns;
use super::ink::{darker, down, lighter, linear, radial, sheer, solid};
use super::table::{
    bowl, chopsticks, dip, garnish, liquid, plate, scallions, sprinkle, table, tea,
};

pub(super) fn sushi(c: &mut Canvas, v: u32) {
    table(c, [3, 1, 4, 2, 5][v as usize % 5]);
    let board = (90.0, 110.0, 560.0, 330.0);
    c.shadow_rect(board, 14.0);
    let hex = [0xc9_98_62, 0x3a_36_38, 0xd9_b0_7a, 0x4a_56_5c, 0xb8_86_54][v as usize % 5];
    c.round(
        board,
        14.0,
        linear(
            (90.0, 110.0),
            (650.0, 440.0),
            &[lighter(hex, 0.25), hex, darker(hex, 0.2)],
        ),
    );
    const TOPS: [u32; 5] = [0xf5_7a_48, 0xc9_2c_3c, 0xf6_d0_60, 0xf7_a0_80, 0xf3_e2_d6];
    for n in 0..4 {
        let top = TOPS[(n + v) as usize % 5];
        c.at((175.0 + n as f32 * 125.0, 200.0), 102.0, 1.2, |c| {
            nigiri(c, top)
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
            c.fill(leaf(40.0, 16.0), sheer(0xf9_c4_b4, 0.95))
        });
    }
    c.ball(600.0, 300.0, 20.0, 0x9a_c2_4a);
    dip(c, 715.0, 170.0, 66.0, 0x2c_12_0c);
    tea(c, 715.0, 350.0, 62.0);
    chopsticks(c, (380.0, 510.0), -4.0, 0x2a_1a_18);
    garnish(c, (70.0, 470.0), -20.0, 90.0, 0x4f_96_35);
}

fn nigiri(c: &mut Canvas, top: u32) {
    c.round((-58.0, -18.0, 128.0, 54.0), 26.0, sheer(SHADOW, 0.45));
    c.round(
        (-60.0, -26.0, 122.0, 52.0),
        25.0,
        down(-26.0, 26.0, &[0xff_ff_fc, 0xe6_de_cc]),
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
            sheer(0xff_ff_ff, 0.55),
        );
    }
    c.line(
        bow((-50.0, -17.0), (0.0, -24.0), (48.0, -17.0)),
        4.0,
        sheer(0xff_ff_ff, 0.5),
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
            &[0x3e_54_48, 0x14_20_1a],
        ),
    );
    c.circle(x, y, 32.0, solid(0xfd_fb_f4));
    for _ in 0..26 {
        let (px, py) = in_disc(x, y, 28.0, &mut c.random);
        c.oval(px, py, 5.0, 2.6, sheer(0xc9_c2_b0, 0.5));
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
    c.circle(x + 9.0, y + 5.0, 8.0, solid(0x7a_b8_4a));
    c.circle(x + 1.0, y + 11.0, 6.0, solid(0xf6_d0_60));
}

pub(super) fn coffee(c: &mut Canvas, v: u32) {
    const CUPS: [u32; 6] = [
        0xf6_f1_e8, 0x35_5a_6a, 0xe8_a0_8a, 0x2c_2a_2c, 0xd9_c9_a8, 0x7a_9a_86,
    ];
    table(c, v);
    let (x, y) = (350.0, 320.0);
    let cup = CUPS[v as usize % 6];
    plate(c, x, y, 230.0, lighter(cup, 0.15));
    c.at((x, y), -35.0, 1.0, |c| {
        c.line(
            super::canvas::arc(178.0, 0.0, 40.0, -110.0, 110.0),
            22.0,
            sheer(SHADOW, 0.3),
        );
        c.line(
            super::canvas::arc(172.0, -5.0, 40.0, -110.0, 110.0),
            22.0,
            solid(cup),
        );
    });
    let inside = bowl(c, x, y, 168.0, cup);
    liquid(
        c,
        x,
        y,
        inside * 0.97,
        [0x8a_52_2c, 0x7a_44_22, 0x9a_60_36][v as usize % 3],
    );
    match v % 3 {
        0 => rosetta(c, (x, y)),
        1 => heart(c, (x, y)),
        _ => crema(c, (x, y), inside),
    }
    spoon(c, (545.0, 490.0));
    if v.is_multiple_of(2) {
        croissant(c, (650.0, 165.0));
    } else {
        cookies(c, (650.0, 165.0));
    }
    for _ in 0..9 {
        let place = in_disc(95.0, 500.0, 70.0, &mut c.random);
        let turn = c.random.range(0.0, 180.0);
        c.at(place, turn, 1.0, bean);
    }
}

const MILK: u32 = 0xfb_ee_d8;

fn rosetta(c: &mut Canvas, place: (f32, f32)) {
    c.at(place, 25.0, 1.0, |c| {
        for n in 0..7 {
            let (y, w) = (62.0 - n as f32 * 23.0, 96.0 - n as f32 * 11.0);
            c.line(
                bow((-w, y - 34.0), (0.0, y + 42.0), (w, y - 34.0)),
                13.0 - n as f32,
                solid(MILK),
            );
        }
        c.line(
            bow((0.0, 80.0), (0.0, 0.0), (0.0, -98.0)),
            6.0,
            solid(0x9a_62_38),
        );
        c.circle(0.0, -92.0, 14.0, solid(MILK));
    });
}

fn heart(c: &mut Canvas, place: (f32, f32)) {
    c.at(place, -15.0, 1.0, |c| {
        for (scale, hex) in [
            (1.25, 0xc2_92_62),
            (1.08, MILK),
            (0.72, 0xc9_9c_6e),
            (0.56, MILK),
        ] {
            c.at((0.0, 0.0), 0.0, scale, |c| c.fill(heart_path(), solid(hex)));
        }
    });
}

fn heart_path() -> Option<tiny_skia::Path> {
    let mut path = tiny_skia::PathBuilder::new();
    path.move_to(0.0, 92.0);
    path.cubic_to(-120.0, 20.0, -92.0, -92.0, 0.0, -42.0);
    path.cubic_to(92.0, -92.0, 120.0, 20.0, 0.0, 92.0);
    path.close();
    path.finish()
}

fn crema(c: &mut Canvas, (x, y): (f32, f32), r: f32) {
    for n in 0..5 {
        c.line(
            super::canvas::arc(
                x,
                y,
                r * (0.85 - n as f32 * 0.15),
                n as f32 * 70.0,
                n as f32 * 70.0 + 250.0,
            ),
            9.0,
            sheer(0xe0_b0_7a, 0.55),
        );
    }
    for _ in 0..40 {
        let (px, py) = in_disc(x, y, r * 0.85, &mut c.random);
        let size = c.random.range(2.0, 6.0);
        c.ring(px, py, size, 1.4, sheer(0xf3_d8_ae, 0.7));
    }
}

fn spoon(c: &mut Canvas, place: (f32, f32)) {
    c.at(place, -40.0, 1.0, |c| {
        c.round((-90.0, 6.0, 190.0, 9.0), 4.0, sheer(SHADOW, 0.35));
        c.round(
            (-90.0, -3.0, 190.0, 9.0),
            4.0,
            down(-3.0, 6.0, &[0xff_ff_ff, 0xb0_b4_ba, 0x70_74_7c]),
        );
        c.oval(
            -106.0,
            2.0,
            34.0,
            21.0,
            linear((-140.0, -20.0), (-80.0, 20.0), &[0xf6_f8_fa, 0x9a_9e_a6]),
        );
        c.oval(
            -108.0,
            3.0,
            24.0,
            14.0,
            linear((-130.0, -10.0), (-80.0, 18.0), &[0x8a_8e_96, 0xe6_e9_ee]),
        );
    });
}

fn croissant(c: &mut Canvas, (x, y): (f32, f32)) {
    plate(c, x, y, 120.0, 0xf4_ef_e6);
    c.at((x, y + 14.0), -20.0, 1.0, |c| {
        for n in 0..7 {
            let degrees = 200.0 + n as f32 * 23.3;
            let (px, py) = around(0.0, 20.0, 58.0, degrees);
            let r = 34.0 - (n as f32 - 3.0).abs() * 6.5;
            c.ball(px, py, r, [0xd9_8c_3a, 0xc9_76_2a][n % 2]);
            c.line(
                bow(
                    around(px, py, r * 0.8, degrees - 60.0),
                    (px, py),
                    around(px, py, r * 0.8, degrees + 170.0),
                ),
                2.5,
                sheer(0x7a_3e_12, 0.5),
            );
        }
    });
}

fn cookies(c: &mut Canvas, (x, y): (f32, f32)) {
    plate(c, x, y, 120.0, 0xe9_ee_ea);
    for n in 0..3 {
        let (px, py) = around(x, y, 40.0, n as f32 * 120.0 + 15.0);
        c.shadow(px, py, 42.0);
        let shape = blob(px, py, 46.0, 0.08, &mut c.random);
        c.fill(
            shape,
            radial(
                px - 12.0,
                py - 12.0,
                60.0,
                &[(0.0, 0xe9_b8_74, 1.0), (1.0, 0xb0_74_34, 1.0)],
            ),
        );
        sprinkle(c, (px, py, 34.0), 11, 0x4a_26_16, 5.0);
    }
}

fn bean(c: &mut Canvas) {
    c.oval(2.0, 4.0, 15.0, 10.0, sheer(SHADOW, 0.4));
    c.oval(
        0.0,
        0.0,
        15.0,
        10.0,
        linear((-12.0, -10.0), (12.0, 10.0), &[0x8a_54_30, 0x3a_1c_0e]),
    );
    c.line(
        bow((-13.0, 0.0), (0.0, 5.0), (13.0, 0.0)),
        2.0,
        sheer(0x1c_0c_06, 0.8),
    );
}

/// Icing, sponge and topping, one set per variant.
const CAKES: [[u32; 3]; 6] = [
    [0xfd_f3_ea, 0xf0_cf_92, 0xd8_1f_3a],
    [0x6a_3a_22, 0x4a_26_18, 0xd8_1f_3a],
    [0xd2_e2_a0, 0x9a_b8_5a, 0xf6_ee_d8],
    [0xf9_c9_d2, 0xf3_d9_a8, 0x4a_3a_7a],
    [0xff_d9_6a, 0xf3_cf_80, 0xf2_8a_1a],
    [0xe6_d6_f0, 0xf0_dc_b8, 0x3a_4a_8a],
];

pub(super) fn cake(c: &mut Canvas, v: u32) {
    table(c, v + 4);
    if v.is_multiple_of(2) {
        whole_cake(c, CAKES[v as usize % 6]);
    } else {
        slice_of_cake(c, CAKES[v as usize % 6]);
    }
    for n in 0..3 {
        garnish(
            c,
            (95.0 + n as f32 * 12.0, 520.0),
            -60.0 + n as f32 * 35.0,
            62.0,
            0x5a_a5_5e,
        );
    }
    c.ball(150.0, 530.0, 20.0, CAKES[v as usize % 6][2]);
    c.ball(80.0, 460.0, 15.0, 0xd8_1f_3a);
}

fn whole_cake(c: &mut Canvas, [icing, sponge, topping]: [u32; 3]) {
    let (x, y, r) = (400.0, 300.0, 185.0);
    plate(c, x, y, 255.0, 0xf6_f2_ec);
    c.shadow(x, y, r);
    c.circle(
        x,
        y,
        r,
        radial(
            x - 60.0,
            y - 60.0,
            r * 1.5,
            &[
                (0.0, lighter(icing, 0.5), 1.0),
                (0.6, icing, 1.0),
                (1.0, darker(icing, 0.25), 1.0),
            ],
        ),
    );
    for n in 0..18 {
        let (px, py) = around(x, y, r * 0.88, n as f32 * 20.0);
        c.ball(px, py, 19.0, lighter(icing, 0.35));
    }
    for n in 0..9 {
        let (px, py) = around(x, y, r * 0.62, n as f32 * 40.0 + 12.0);
        berry(c, (px, py), 25.0, topping);
    }
    cut_piece(c, (x, y), r, sponge);
    for n in 0..5 {
        berry(
            c,
            around(x - 10.0, y - 16.0, 28.0, n as f32 * 72.0),
            22.0,
            if n % 2 == 0 { topping } else { 0x3a_3a_6a },
        );
    }
    garnish(c, (x - 16.0, y - 20.0), 200.0, 48.0, 0x4f_a0_52);
    garnish(c, (x - 16.0, y - 20.0), 250.0, 44.0, 0x6f_b5_5c);
}

/// Where a piece was taken: the plate shows, with the sponge along both cuts.
fn cut_piece(c: &mut Canvas, (x, y): (f32, f32), r: f32, sponge: u32) {
    let (a, b) = (around(x, y, r + 22.0, 28.0), around(x, y, r + 22.0, 66.0));
    c.fill(super::canvas::polygon(&[(x, y), a, b]), solid(0xe9_e2_d6));
    c.line(
        super::canvas::polyline(&[(x, y), around(x, y, r, 28.0)]),
        18.0,
        solid(sponge),
    );
    c.line(
        super::canvas::polyline(&[(x + 3.0, y + 5.0), around(x + 3.0, y + 5.0, r - 8.0, 28.0)]),
        5.0,
        solid(0xff_fb_f2),
    );
    c.line(
        super::canvas::polyline(&[(x, y), around(x, y, r, 66.0)]),
        8.0,
        solid(darker(sponge, 0.2)),
    );
}

fn berry(c: &mut Canvas, (x, y): (f32, f32), r: f32, hex: u32) {
    c.ball(x, y, r, hex);
    for n in 0..7 {
        let (px, py) = around(x, y, r * 0.58, n as f32 * 51.0);
        c.oval(px, py, 1.8, 2.6, sheer(lighter(hex, 0.7), 0.8));
    }
}

/// A slice from the side, standing on a plate: layers, icing, berries.
fn slice_of_cake(c: &mut Canvas, [icing, sponge, topping]: [u32; 3]) {
    c.at((400.0, 470.0), 0.0, 1.0, |c| {
        c.oval(8.0, 30.0, 320.0, 62.0, sheer(SHADOW, 0.35));
        c.oval(
            0.0,
            0.0,
            310.0,
            66.0,
            down(-66.0, 66.0, &[0xff_ff_ff, 0xd9_d2_c8]),
        );
        c.oval(
            0.0,
            -4.0,
            240.0,
            44.0,
            down(-50.0, 40.0, &[0xe6_e0_d6, 0xfa_f6_f0]),
        );
    });
    let (left, right, top, bottom) = (235.0, 575.0, 200.0, 470.0);
    c.glow(420.0, 478.0, 240.0, SHADOW, 0.3);
    c.round(
        (left, top, right - left, bottom - top),
        16.0,
        linear(
            (left, 0.0),
            (right, 0.0),
            &[lighter(sponge, 0.2), sponge, darker(sponge, 0.2)],
        ),
    );
    for n in 0..3 {
        let y = top + 66.0 + n as f32 * 66.0;
        c.rect(
            (left, y, right - left, 22.0),
            linear((left, 0.0), (right, 0.0), &[0xff_fd_f6, icing]),
        );
        for k in 0..6 {
            c.circle(
                left + 36.0 + k as f32 * 54.0,
                y + 11.0,
                10.0,
                sheer(topping, 0.9),
            );
        }
    }
    for _ in 0..70 {
        let (px, py) = (
            c.random.range(left + 8.0, right - 8.0),
            c.random.range(top + 30.0, bottom - 8.0),
        );
        c.circle(px, py, 2.4, sheer(darker(sponge, 0.4), 0.25));
    }
    c.round(
        (left - 12.0, top - 22.0, right - left + 24.0, 52.0),
        24.0,
        down(top - 22.0, top + 30.0, &[lighter(icing, 0.5), icing]),
    );
    for (k, drop) in [22.0, 44.0, 14.0, 52.0, 26.0, 38.0].into_iter().enumerate() {
        let x = left + 6.0 + k as f32 * 60.0;
        c.round(
            (x, top, 30.0, 30.0 + drop),
            15.0,
            down(top, top + 70.0, &[icing, darker(icing, 0.06)]),
        );
    }
    for k in 0..5 {
        berry(
            c,
            (left + 48.0 + k as f32 * 62.0, top - 42.0),
            32.0,
            if k % 2 == 0 { topping } else { 0xd8_2a_44 },
        );
    }
    garnish(c, (left + 130.0, top - 66.0), -50.0, 54.0, 0x5a_a5_5e);
    garnish(c, (left + 132.0, top - 66.0), -120.0, 44.0, 0x4f_96_4e);
}

pub(super) fn salad(c: &mut Canvas, v: u32) {
    table(c, [4, 0, 5, 1, 3][v as usize % 5]);
    let (x, y) = (400.0, 305.0);
    let inside = bowl(
        c,
        x,
        y,
        245.0,
        [0xf3_ee_e4, 0x3d_5a_4a, 0xd9_c2_98, 0x5a_7a_8a, 0xf0_ea_e0][v as usize % 5],
    );
    c.circle(x, y, inside, solid(0x3d_6a_2c));
    for n in 0..80 {
        let place = in_disc(x, y, inside * 0.84, &mut c.random);
        let green = [0x4f_96_35, 0x7a_b8_4a, 0x9c_cc_5c, 0x5f_a0_40][n % 4];
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
        c.ball(
            bx,
            by,
            14.0,
            if n % 3 == 0 { 0x3a_3a_6a } else { 0xe6_c9_94 },
        );
    }
    radishes(c, (x, y));
    sprinkle(c, (x, y, inside * 0.8), 60, 0xfb_ee_cc, 3.0);
    scallions(c, (x, y, inside * 0.5), 8);
    dip(c, 705.0, 500.0, 66.0, 0xe9_b8_4a);
}

fn avocado(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..5 {
        c.at(
            (x - 44.0 + n as f32 * 21.0, y),
            -18.0 + n as f32 * 9.0,
            1.0,
            |c| {
                c.oval(4.0, 5.0, 16.0, 56.0, sheer(SHADOW, 0.4));
                c.oval(0.0, 0.0, 16.0, 56.0, solid(0x4a_6a_24));
                c.oval(
                    1.0,
                    0.0,
                    13.0,
                    52.0,
                    linear((-12.0, 0.0), (14.0, 0.0), &[0xa8_c8_4e, 0xe9_ec_9a]),
                );
            },
        );
    }
}

fn tomatoes(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..5 {
        let (px, py) = around(x, y, if n == 0 { 0.0 } else { 40.0 }, n as f32 * 90.0);
        c.ball(px, py, 27.0, 0xe2_32_22);
        c.ring(px, py, 17.0, 3.0, sheer(0xff_a0_80, 0.7));
        sprinkle(c, (px, py, 13.0), 6, 0xf9_d9_8a, 2.6);
    }
}

fn corn(c: &mut Canvas, (x, y): (f32, f32)) {
    for _ in 0..50 {
        let (px, py) = in_disc(x, y, 56.0, &mut c.random);
        let tone = c.random.pick(&[0xf9_d2_3a_u32, 0xf3_bc_22, 0xff_e2_6a]);
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
                    linear((-30.0, -30.0), (30.0, 30.0), &[0xff_ff_ff, 0xee_e4_d4]),
                );
                c.circle(
                    3.0,
                    0.0,
                    17.0,
                    radial(
                        -2.0,
                        -4.0,
                        20.0,
                        &[(0.0, 0xff_d6_4c, 1.0), (1.0, 0xf0_9a_1c, 1.0)],
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
        c.circle(px, py, 25.0, solid(0xd8_3a_6a));
        c.circle(
            px,
            py,
            22.0,
            radial(
                px,
                py,
                22.0,
                &[
                    (0.0, 0xff_ff_ff, 1.0),
                    (0.7, 0xfd_ee_f2, 1.0),
                    (1.0, 0xf3_c0_d0, 1.0),
                ],
            ),
        );
    }
}
