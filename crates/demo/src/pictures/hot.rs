//! Hot dishes from above: noodles, hot pot, home cooking, steamed baskets, skewers.

use super::canvas::{Canvas, SHADOW, arc, around, blob, bow, in_disc, round_rect};
use super::ink::{darker, down, lighter, linear, radial, sheer, solid};
use super::table::{
    bowl, chopsticks, dip, garnish, liquid, plate, scallions, sprinkle, steam, table, tea,
};

pub(super) fn noodles(c: &mut Canvas, v: u32) {
    const BOWLS: [u32; 6] = [
        0x2f_5d_8a, 0xc2_3b_2e, 0xf0_ea_de, 0x2d_2b_2f, 0x3f_7d_6e, 0xd9_a4_41,
    ];
    const SOUPS: [u32; 6] = [
        0xc9_7a_2b, 0xb5_42_1f, 0xe6_c3_7d, 0x8a_4b_22, 0xd9_9a_3e, 0xc2_5a_2a,
    ];
    table(c, v);
    chopsticks(c, (655.0, 250.0), -62.0 + v as f32 * 6.0, 0x8a_3a_22);
    dip(c, 130.0, 480.0, 62.0, 0x9c_24_18);
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
    sprinkle(c, (x, y, 150.0), 22, 0xc2_20_14, 4.5);
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
        let tone = c.random.pick(&[0xf6_de_9c_u32, 0xee_cf_82, 0xfb_e9_b8]);
        c.line(
            bow(
                (from.0, from.1 + 3.0),
                (by.0, by.1 + 3.0),
                (to.0, to.1 + 3.0),
            ),
            9.0,
            sheer(0x7a_4a_12, 0.4),
        );
        c.line(bow(from, by, to), 7.5, solid(tone));
        c.line(bow(from, by, to), 2.0, sheer(0xff_ff_ff, 0.35));
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
            linear((-r, -r), (r, r), &[0xff_ff_ff, 0xf3_e6_d2]),
        );
        let yolk = radial(
            -6.0,
            -6.0,
            r * 0.6,
            &[
                (0.0, 0xff_c9_3c, 1.0),
                (0.6, 0xf5_8a_1f, 1.0),
                (1.0, 0xd9_63_12, 1.0),
            ],
        );
        c.circle(2.0, 2.0, r * 0.46, yolk);
        c.oval(-8.0, -8.0, 8.0, 5.0, sheer(0xff_ff_ff, 0.8));
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
                down(-22.0, 22.0, &[0xb0_65_44, 0x8a_45_2e, 0x5f_2a_1c]),
            );
            c.line(
                bow((-40.0, -6.0), (0.0, -16.0), (42.0, -5.0)),
                4.0,
                sheer(0xe9_b8_93, 0.8),
            );
            c.line(
                bow((-38.0, 8.0), (0.0, 0.0), (40.0, 9.0)),
                2.5,
                sheer(0xe9_b8_93, 0.6),
            );
        });
    }
}

pub(super) fn prawns(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..4 {
        let place = (
            x + (n % 2) as f32 * 64.0 - 20.0,
            y - 60.0 + (n / 2) as f32 * 66.0,
        );
        c.at(place, n as f32 * 47.0, 1.0, |c| {
            c.line(arc(3.0, 6.0, 26.0, 20.0, 280.0), 24.0, sheer(SHADOW, 0.35));
            c.line(arc(0.0, 0.0, 26.0, 20.0, 280.0), 22.0, solid(0xf2_7b_4a));
            c.line(arc(0.0, 0.0, 28.0, 25.0, 275.0), 9.0, solid(0xff_b2_86));
            for band in 0..5 {
                let degrees = 50.0 + band as f32 * 48.0;
                c.line(
                    super::canvas::polyline(&[
                        around(0.0, 0.0, 17.0, degrees),
                        around(0.0, 0.0, 36.0, degrees + 5.0),
                    ]),
                    2.5,
                    sheer(0xd2_46_24, 0.7),
                );
            }
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
            solid(0xdc_ee_c0),
        );
        let place = around(x, y, 20.0, degrees);
        garnish(c, place, degrees, 74.0, [0x3f_8a_35, 0x5a_a5_3e][n % 2]);
    }
}

pub(super) fn hot_pot(c: &mut Canvas, v: u32) {
    table(c, [2, 3, 0, 3, 2][v as usize % 5]);
    let red = [0xb8_22_14, 0xc9_3a_14, 0xa8_1c_1c, 0xb8_2a_10, 0xc2_2c_1a][v as usize % 5];
    side_plate(c, (120.0, 120.0), v);
    side_plate(c, (690.0, 130.0), v + 1);
    side_plate(c, (110.0, 490.0), v + 2);
    side_plate(c, (690.0, 480.0), v + 3);
    let (x, y, r) = (400.0, 305.0, 215.0);
    c.shadow(x, y, r);
    c.circle(
        x,
        y,
        r,
        linear(
            (x - r, y - r),
            (x + r, y + r),
            &[0xf6_e2_c0, 0xb0_8a_5a, 0x5a_40_26],
        ),
    );
    c.ring(x, y, r * 0.95, 4.0, sheer(0xff_ff_ff, 0.5));
    let inside = r * 0.88;
    liquid(c, x, y, inside, red);
    if v % 5 != 3 {
        milky_half(c, (x, y), inside, 20.0 + v as f32 * 30.0);
    }
    broth_life(c, (x, y), inside);
    steam(c, x, y, 230.0);
}

/// The mild half of a divided pot: a half disc swung by the two small ones of a taiji.
fn milky_half(c: &mut Canvas, place: (f32, f32), r: f32, degrees: f32) {
    c.at(place, degrees, 1.0, |c| {
        let mut path = tiny_skia::PathBuilder::new();
        path.move_to(-r, 0.0);
        path.cubic_to(-r * 0.9, r * 0.55, -r * 0.1, r * 0.55, 0.0, 0.0);
        path.cubic_to(r * 0.1, -r * 0.55, r * 0.9, -r * 0.55, r, 0.0);
        for step in 1..=24 {
            let (px, py) = around(0.0, 0.0, r, -(step as f32) * 7.5);
            path.line_to(px, py);
        }
        path.close();
        let path = path.finish();
        let pale = [
            (0.0, 0xff_f6_dc, 1.0),
            (0.8, 0xf3_dc_ac, 1.0),
            (1.0, 0xd2_b0_74, 1.0),
        ];
        c.fill(path.clone(), radial(0.0, -r * 0.4, r, &pale));
        c.line(
            path,
            7.0,
            linear((-r, -r), (r, r), &[0xf6_ea_d2, 0x9a_7a_50]),
        );
    });
}

fn broth_life(c: &mut Canvas, (x, y): (f32, f32), r: f32) {
    for _ in 0..13 {
        let place = in_disc(x, y, r * 0.8, &mut c.random);
        let turn = c.random.range(0.0, 360.0);
        c.at(place, turn, 1.0, |c| {
            c.line(
                bow((-20.0, 2.0), (0.0, 14.0), (20.0, 2.0)),
                10.0,
                sheer(SHADOW, 0.35),
            );
            c.line(
                bow((-20.0, 0.0), (0.0, 12.0), (20.0, 0.0)),
                9.0,
                solid(0xd4_1c_14),
            );
            c.line(
                bow((-14.0, 1.0), (0.0, 8.0), (12.0, 1.0)),
                2.0,
                sheer(0xff_c0_a0, 0.8),
            );
        });
    }
    for _ in 0..9 {
        let (px, py) = in_disc(x, y, r * 0.75, &mut c.random);
        let size = c.random.range(17.0, 24.0);
        let tone = c.random.pick(&[0xf7_ec_dc_u32, 0xe8_b9_8c, 0xf2_d6_b8]);
        c.ball(px, py, size, tone);
    }
    scallions(c, (x, y, r * 0.85), 24);
    for _ in 0..40 {
        let (px, py) = in_disc(x, y, r * 0.92, &mut c.random);
        let size = c.random.range(3.0, 9.0);
        c.ring(px, py, size, 1.6, sheer(0xff_e6_b0, 0.55));
    }
}

fn side_plate(c: &mut Canvas, (x, y): (f32, f32), what: u32) {
    plate(
        c,
        x,
        y,
        98.0,
        [0xf4_ef_e6, 0x2f_4a_5a, 0xe6_ee_ea][what as usize % 3],
    );
    match what % 4 {
        0 => meat_rolls(c, (x, y)),
        1 => {
            for n in 0..7 {
                garnish(
                    c,
                    around(x, y, 12.0, n as f32 * 51.0),
                    n as f32 * 51.0,
                    56.0,
                    [0x4f_96_35, 0x7a_b8_4a][n % 2],
                );
            }
        }
        2 => {
            for n in 0..9 {
                let place = (
                    x - 36.0 + (n % 3) as f32 * 36.0,
                    y - 36.0 + (n / 3) as f32 * 36.0,
                );
                cube(c, place, 30.0, 0xfa_f0_d8);
            }
        }
        _ => {
            for n in 0..8 {
                let (px, py) = around(x, y, if n == 0 { 0.0 } else { 42.0 }, n as f32 * 51.0);
                c.ball(px, py, 20.0, 0xc9_9a_6a);
                c.circle(px, py, 7.0, sheer(0x6a_42_22, 0.6));
            }
        }
    }
}

fn meat_rolls(c: &mut Canvas, (x, y): (f32, f32)) {
    for n in 0..8 {
        let degrees = n as f32 * 45.0;
        let place = around(x, y, 36.0, degrees);
        c.at(place, degrees, 1.0, |c| {
            c.round((-26.0, -9.0, 56.0, 26.0), 12.0, sheer(SHADOW, 0.3));
            c.round(
                (-28.0, -13.0, 56.0, 26.0),
                12.0,
                down(-13.0, 13.0, &[0xf4_9a_96, 0xd2_4a_4c, 0x9c_26_30]),
            );
            c.line(
                bow((-20.0, -3.0), (0.0, -9.0), (22.0, -2.0)),
                3.5,
                sheer(0xff_f0_ea, 0.9),
            );
            c.line(
                bow((-18.0, 6.0), (2.0, 1.0), (20.0, 6.0)),
                2.5,
                sheer(0xff_f0_ea, 0.8),
            );
        });
    }
}

/// A cube from above with a lit top and a dark lower edge.
fn cube(c: &mut Canvas, (x, y): (f32, f32), size: f32, hex: u32) {
    let (left, top) = (x - size / 2.0, y - size / 2.0);
    c.round((left + 3.0, top + 6.0, size, size), 7.0, sheer(SHADOW, 0.4));
    c.round((left, top + 4.0, size, size), 7.0, solid(darker(hex, 0.35)));
    c.round(
        (left, top, size, size - 2.0),
        7.0,
        linear(
            (left, top),
            (left + size, top + size),
            &[lighter(hex, 0.35), hex],
        ),
    );
}

pub(super) fn home_cooking(c: &mut Canvas, v: u32) {
    table(c, v + 1);
    chopsticks(c, (640.0, 520.0), -8.0, 0x5a_30_20);
    let inside = bowl(c, 650.0, 140.0, 105.0, 0xe8_ee_f0);
    rice(c, (650.0, 140.0), inside);
    let (x, y) = (320.0, 310.0);
    plate(
        c,
        x,
        y,
        240.0,
        [
            0xf7_f3_ea, 0xdc_e6_ea, 0x35_4a_55, 0xf3_e7_d3, 0xe4_ec_e0, 0x3a_33_30,
        ][v as usize % 6],
    );
    match v % 3 {
        0 => braised_pork(c, (x, y)),
        1 => fish(c, (x, y), v),
        _ => stir_fry(c, (x, y), v),
    }
    tea(c, 650.0, 370.0, 62.0);
    steam(c, x, y - 30.0, 190.0);
}

fn rice(c: &mut Canvas, (x, y): (f32, f32), r: f32) {
    c.circle(
        x,
        y,
        r,
        radial(
            x - 20.0,
            y - 20.0,
            r * 1.2,
            &[(0.0, 0xff_ff_ff, 1.0), (1.0, 0xdc_d6_c8, 1.0)],
        ),
    );
    for _ in 0..150 {
        let place = in_disc(x, y, r * 0.9, &mut c.random);
        let (turn, shade) = (c.random.range(0.0, 180.0), c.random.range(0.0, 0.2));
        c.at(place, turn, 1.0, |c| {
            c.oval(0.6, 1.4, 6.5, 2.8, sheer(0x9a_90_7a, 0.5));
            c.oval(0.0, 0.0, 6.5, 2.8, solid(darker(0xff_fd_f6, shade * 0.3)));
        });
    }
    sprinkle(c, (x, y, r * 0.4), 10, 0x1f_1a_18, 2.4);
}

fn braised_pork(c: &mut Canvas, (x, y): (f32, f32)) {
    liquid(c, x, y, 165.0, 0x8a_3a_18);
    for n in 0..12 {
        let ring = if n < 4 { 48.0 } else { 112.0 };
        let (px, py) = around(
            x,
            y,
            ring,
            n as f32 * if n < 4 { 90.0 } else { 45.0 } + 20.0,
        );
        let turn = c.random.range(-25.0, 25.0);
        c.at((px, py), turn, 1.0, |c| {
            cube(c, (0.0, 0.0), 62.0, 0xb0_4e_22);
            c.round((-31.0, -31.0, 62.0, 16.0), 6.0, solid(0x7a_22_12));
            c.round((-31.0, -13.0, 62.0, 11.0), 4.0, solid(0xf0_c2_92));
            c.round((-31.0, 10.0, 62.0, 7.0), 3.0, sheer(0xf0_c2_92, 0.8));
            c.line(
                bow((-22.0, -25.0), (0.0, -29.0), (18.0, -25.0)),
                4.0,
                sheer(0xff_ff_ff, 0.55),
            );
        });
    }
    scallions(c, (x, y, 130.0), 26);
    sprinkle(c, (x, y, 140.0), 40, 0xfb_ee_cc, 3.0);
}

fn fish(c: &mut Canvas, (x, y): (f32, f32), v: u32) {
    liquid(c, x, y, 170.0, [0xc2_6a_20, 0x8a_4a_1c][v as usize % 2]);
    c.at((x, y), -20.0, 1.0, |c| {
        let body = fish_body();
        c.at((5.0, 12.0), 0.0, 1.0, |c| {
            c.fill(fish_body(), sheer(SHADOW, 0.45))
        });
        c.fill(
            body,
            down(-70.0, 70.0, &[0xf6_d9_a6, 0xd6_93_4c, 0x7d_42_1c]),
        );
        for n in 0..5 {
            let at = -70.0 + n as f32 * 38.0;
            c.line(
                bow((at, -42.0), (at + 26.0, 0.0), (at, 42.0)),
                6.0,
                sheer(0x6a_30_12, 0.65),
            );
            c.line(
                bow((at + 5.0, -38.0), (at + 28.0, 0.0), (at + 5.0, 38.0)),
                3.0,
                sheer(0xff_f2_d8, 0.7),
            );
        }
        c.circle(-128.0, -12.0, 10.0, solid(0xff_ff_ff));
        c.circle(-128.0, -12.0, 5.0, solid(0x22_1a_18));
    });
    for _ in 0..30 {
        let from = in_disc(x, y, 95.0, &mut c.random);
        let turn = c.random.range(0.0, 360.0);
        let tone = c
            .random
            .pick(&[0x6f_b5_3c_u32, 0xe9_f2_d0, 0xd4_2a_1a, 0x8c_cb_4e]);
        let (to, by) = (
            around(from.0, from.1, 46.0, turn),
            around(from.0, from.1, 28.0, turn + 40.0),
        );
        c.line(bow(from, by, to), 4.0, solid(tone));
    }
}

fn fish_body() -> Option<tiny_skia::Path> {
    let mut path = tiny_skia::PathBuilder::new();
    path.move_to(-165.0, 0.0);
    path.cubic_to(-120.0, -85.0, 50.0, -80.0, 120.0, -12.0);
    path.line_to(180.0, -58.0);
    path.quad_to(162.0, 0.0, 180.0, 58.0);
    path.line_to(120.0, 12.0);
    path.cubic_to(50.0, 80.0, -120.0, 85.0, -165.0, 0.0);
    path.close();
    path.finish()
}

fn stir_fry(c: &mut Canvas, (x, y): (f32, f32), v: u32) {
    const MIXES: [[u32; 4]; 2] = [
        [0x5a_a5_3e, 0xf2_c2_3c, 0xd8_36_22, 0xf4_e6_c6],
        [0x4f_96_35, 0xf0_9a_6a, 0xf6_e9_d0, 0x8a_4a_2a],
    ];
    let mix = MIXES[v as usize / 3 % 2];
    for n in 0..70 {
        let (px, py) = in_disc(x, y, 150.0, &mut c.random);
        let tone = mix[n % 4];
        let r = c.random.range(17.0, 30.0);
        let shape = blob(px, py, r, 0.45, &mut c.random);
        let below = shape
            .clone()
            .and_then(|p| p.transform(tiny_skia::Transform::from_translate(3.0, 6.0)));
        c.fill(below, sheer(SHADOW, 0.4));
        c.fill(
            shape,
            linear(
                (px - r, py - r),
                (px + r, py + r),
                &[lighter(tone, 0.4), tone, darker(tone, 0.25)],
            ),
        );
        c.oval(
            px - r * 0.3,
            py - r * 0.35,
            r * 0.22,
            r * 0.1,
            sheer(0xff_ff_ff, 0.6),
        );
    }
    if v.is_multiple_of(2) {
        prawns(c, (x - 10.0, y));
    }
    scallions(c, (x, y, 120.0), 16);
    sprinkle(c, (x, y, 140.0), 30, 0xfb_ee_cc, 3.0);
}

pub(super) fn dim_sum(c: &mut Canvas, v: u32) {
    table(c, [0, 4, 5, 2, 1][v as usize % 5]);
    tea(c, 690.0, 480.0, 74.0);
    dip(c, 110.0, 110.0, 62.0, 0x4a_1c_12);
    basket(c, (290.0, 350.0), 205.0, v);
    basket(c, (585.0, 195.0), 165.0, v + 1);
    chopsticks(c, (560.0, 545.0), -14.0, 0x3a_22_1c);
    steam(c, 290.0, 330.0, 200.0);
    steam(c, 585.0, 190.0, 150.0);
}

fn basket(c: &mut Canvas, (x, y): (f32, f32), r: f32, filling: u32) {
    c.shadow(x, y, r);
    c.circle(
        x,
        y,
        r,
        linear(
            (x - r, y - r),
            (x + r, y + r),
            &[0xf0_cf_92, 0xc9_98_52, 0x8a_5f_2c],
        ),
    );
    for n in 0..60 {
        let degrees = n as f32 * 6.0;
        let line = super::canvas::polyline(&[
            around(x, y, r * 0.9, degrees),
            around(x, y, r * 0.99, degrees + 2.0),
        ]);
        c.line(line, 1.6, sheer(0x6a_42_1a, 0.4));
    }
    c.ring(x, y, r * 0.89, 5.0, sheer(0x7a_52_22, 0.8));
    c.circle(
        x,
        y,
        r * 0.86,
        radial(x, y, r, &[(0.0, 0xf3_e0_b4, 1.0), (1.0, 0xb8_8c_4c, 1.0)]),
    );
    for n in 0..9 {
        let at = x - r * 0.72 + n as f32 * r * 0.18;
        let half = ((r * 0.84).powi(2) - (at - x).powi(2)).sqrt();
        c.rect(
            (at - 2.0, y - half, 4.0, half * 2.0),
            sheer(0x9a_6e_34, 0.35),
        );
    }
    for n in 0..7 {
        let (px, py) = if n == 0 {
            (x, y)
        } else {
            around(x, y, r * 0.54, n as f32 * 60.0)
        };
        dumpling(c, (px, py), r * 0.255, filling);
    }
}

fn dumpling(c: &mut Canvas, (x, y): (f32, f32), r: f32, filling: u32) {
    let tone = [0xfb_f1_e2, 0xf7_b9_9a, 0xf2_cf_5a, 0xd6_e6_b8][filling as usize % 4];
    c.ball(x, y, r, tone);
    let folds = 12;
    for n in 0..folds {
        let degrees = n as f32 * 360.0 / folds as f32;
        let fold = bow(
            around(x, y, r * 0.14, degrees),
            around(x, y, r * 0.5, degrees + 22.0),
            around(x, y, r * 0.86, degrees + 12.0),
        );
        c.line(fold, 2.2, sheer(darker(tone, 0.5), 0.35));
    }
    let heart = [0xf0_d8_b8, 0xe8_5a_2a, 0xe9_8a_1a, 0x6f_a5_3c][filling as usize % 4];
    c.circle(x, y, r * 0.17, solid(heart));
}

pub(super) fn skewers(c: &mut Canvas, v: u32) {
    table(c, [3, 2, 3, 0, 2][v as usize % 5]);
    c.glow(200.0, 560.0, 420.0, 0xff_6a_1c, 0.35);
    let tray = (70.0, 130.0, 660.0, 350.0);
    c.shadow_rect(tray, 26.0);
    c.round(
        tray,
        26.0,
        linear(
            (70.0, 130.0),
            (730.0, 480.0),
            &[0x8a_8f_96, 0x5a_5f_68, 0x35_38_40],
        ),
    );
    c.round(
        (88.0, 148.0, 624.0, 314.0),
        18.0,
        linear((88.0, 148.0), (700.0, 460.0), &[0x34_36_3c, 0x4a_4d_55]),
    );
    for n in 0..7 {
        let place = (400.0, 175.0 + n as f32 * 43.0);
        let tilt = c.random.range(-3.0, 3.0);
        let food = (v + n / if v.is_multiple_of(2) { 7 } else { 3 }) % 4;
        c.at(place, tilt, 1.0, |c| skewer(c, food));
    }
    sprinkle(c, (400.0, 300.0, 190.0), 60, 0xc2_20_14, 3.2);
    sprinkle(c, (400.0, 300.0, 200.0), 50, 0xf0_d8_9a, 2.6);
    garnish(c, (640.0, 440.0), -30.0, 70.0, 0x5a_a5_3e);
    garnish(c, (650.0, 450.0), 10.0, 60.0, 0x4f_96_35);
    dip(c, 690.0, 80.0, 60.0, 0xb8_2a_14);
    beer(c, (110.0, 80.0));
    steam(c, 380.0, 220.0, 230.0);
}

fn skewer(c: &mut Canvas, food: u32) {
    c.round((-330.0, -1.0, 640.0, 5.0), 2.0, solid(0xd9_b9_80));
    for n in 0..8 {
        let at = -200.0 + n as f32 * 58.0;
        let tone = match food {
            0 => [0x8a_42_22, 0xe0_b0_80][usize::from(n % 3 == 2)],
            1 => [0xc9_7a_2c, 0xb8_62_22][n % 2],
            2 => [0xd8_4a_2a, 0x5a_a5_3e, 0x9a_4a_26][n % 3],
            _ => [0xf0_c2_92, 0xb0_4e_2a][n % 2],
        };
        let shape = round_rect(at, -19.0, 52.0, 38.0, 14.0);
        c.round((at + 3.0, -12.0, 52.0, 38.0), 14.0, sheer(SHADOW, 0.5));
        c.fill(
            shape,
            down(
                -19.0,
                19.0,
                &[lighter(tone, 0.35), tone, darker(tone, 0.45)],
            ),
        );
        c.line(
            bow((at + 12.0, -8.0), (at + 24.0, -13.0), (at + 38.0, -9.0)),
            3.0,
            sheer(0xff_ff_ff, 0.4),
        );
        c.line(
            bow((at + 10.0, 10.0), (at + 26.0, 6.0), (at + 42.0, 11.0)),
            3.0,
            sheer(SHADOW, 0.4),
        );
    }
}

fn beer(c: &mut Canvas, (x, y): (f32, f32)) {
    c.shadow(x, y, 66.0);
    c.circle(x, y, 66.0, sheer(0xe6_f2_f6, 0.75));
    c.circle(
        x,
        y,
        57.0,
        radial(
            x,
            y,
            57.0,
            &[(0.0, 0xf6_b8_2c, 1.0), (1.0, 0xc9_7a_14, 1.0)],
        ),
    );
    for _ in 0..46 {
        let (px, py) = in_disc(x, y, 44.0, &mut c.random);
        let r = c.random.range(6.0, 13.0);
        c.circle(
            px,
            py,
            r,
            radial(
                px - 3.0,
                py - 3.0,
                r * 1.4,
                &[(0.0, 0xff_ff_ff, 1.0), (1.0, 0xf3_e6_c4, 0.9)],
            ),
        );
    }
}
