//! Shop fronts at dusk: sky and skyline, a lit window, an awning, lanterns, a wet pavement.

use super::canvas::{Canvas, SHADOW};
use super::ink::{blend, darker, down, lighter, linear, radial, sheer, solid};
use super::interior::{bulb, plant};
use super::shapes::{oval, polygon, polyline};

/// The colours of one front.
struct Look {
    wall: u32,
    awning: u32,
    sign: u32,
    sky: [u32; 3],
}

const fn look(wall: u32, awning: u32, sign: u32, sky: usize) -> Look {
    Look {
        wall,
        awning,
        sign,
        sky: SKIES[sky],
    }
}

const SKIES: [[u32; 3]; 4] = [
    [0x242c5a, 0x7a4a7a, 0xf69a6a],
    [0x121c3a, 0x2c3a6a, 0x6a5a8a],
    [0x5a8ab8, 0xb0c8d8, 0xfddcb0],
    [0x3a2c5a, 0xb04a6a, 0xffb86a],
];

const LOOKS: [Look; 12] = [
    look(0x8a4a32, 0xd83a2c, 0x3a1c14, 0),
    look(0x2f4a4a, 0x2f7a6a, 0xe9c87a, 1),
    look(0xe9dcc8, 0xe08a3a, 0x5a3a28, 2),
    look(0x4a2c30, 0xc22a34, 0xf0c05a, 3),
    look(0xd8c2b0, 0x3a5a8a, 0x243454, 0),
    look(0x3a3438, 0xf0b03a, 0x1c1a1c, 1),
    look(0xb8c8b0, 0x5a8a4a, 0x344a30, 2),
    look(0x6a3a2a, 0xf2e2c8, 0x8a1c1c, 3),
    look(0xf2d2cc, 0xd86a8a, 0x6a2a44, 2),
    look(0x5a4a3c, 0x8a2c24, 0xd9a84a, 1),
    look(0x9ab0b8, 0x244a5a, 0xf6eee0, 0),
    look(0x7a5a44, 0x3d6a54, 0x2c2018, 3),
];

/// Where the pavement begins.
const GROUND: f32 = 500.0;

pub(super) fn storefront(c: &mut Canvas, v: u32) {
    if v % 3 == 1 {
        c.mirrored(|c| front(c, v));
    } else {
        front(c, v);
    }
}

fn front(c: &mut Canvas, v: u32) {
    let look = &LOOKS[v as usize % 12];
    c.background(down(0.0, 420.0, &look.sky));
    skyline(c, look);
    let (x, w) = (110.0, 580.0);
    facade(c, (x, w), look);
    sign(c, (x, w), look, v);
    shop_window(c, (x + 36.0, 290.0, 300.0, 168.0), v);
    door(c, (x + 400.0, 275.0, 132.0, 225.0), look);
    awning(c, (x - 14.0, w + 28.0), look, v);
    pavement(c, look);
    if v.is_multiple_of(2) {
        for k in [x + 4.0, x + w - 4.0] {
            red_lantern(c, (k, 318.0));
        }
    } else {
        for k in [x + 368.0, x + 562.0] {
            bulb(c, k, 330.0, 11.0, 0xffd07a);
        }
    }
    plant(c, (x + 30.0, 530.0), 96.0, lighter(look.wall, 0.4));
    plant(c, (x + w - 18.0, 530.0), 110.0, 0xd9d2c6);
    stool(c, (x + 160.0, 545.0), look.awning);
    stool(c, (x + 240.0, 552.0), look.awning);
}

fn skyline(c: &mut Canvas, look: &Look) {
    for n in 0..12 {
        let height = c.random.range(120.0, 330.0);
        let x = n as f32 * 70.0 - 12.0;
        let hex = blend(look.sky[1], look.sky[0], 0.6);
        c.rect(
            (x, GROUND - height, 62.0, height),
            down(GROUND - height, GROUND, &[darker(hex, 0.15), hex]),
        );
        for k in 0..(height / 26.0) as u32 {
            for column in 0..3 {
                if c.random.chance(45) {
                    c.rect(
                        (
                            x + 9.0 + column as f32 * 17.0,
                            GROUND - height + 12.0 + k as f32 * 25.0,
                            8.0,
                            11.0,
                        ),
                        sheer(0xffd98a, 0.75),
                    );
                }
            }
        }
    }
    c.glow(400.0, 420.0, 460.0, look.sky[2], 0.35);
}

fn facade(c: &mut Canvas, (x, w): (f32, f32), look: &Look) {
    c.rect((x + 14.0, 96.0, w, GROUND - 90.0), sheer(SHADOW, 0.3));
    c.rect(
        (x, 90.0, w, GROUND - 90.0),
        linear(
            (x, 90.0),
            (x + w, GROUND),
            &[lighter(look.wall, 0.18), look.wall, darker(look.wall, 0.25)],
        ),
    );
    for row in 0..17 {
        for column in 0..11 {
            let left = x + column as f32 * 54.0 + (row % 2) as f32 * 27.0 - 27.0;
            let (from, to) = (left.max(x), (left + 50.0).min(x + w));
            if to > from && c.random.chance(60) {
                c.rect(
                    (from, 94.0 + row as f32 * 24.0, to - from, 20.0),
                    sheer(darker(look.wall, 0.5), 0.12),
                );
            }
        }
    }
    c.rect(
        (x - 12.0, 78.0, w + 24.0, 20.0),
        down(78.0, 98.0, &[lighter(look.wall, 0.45), look.wall]),
    );
}

/// A board with bars that read as lettering from afar.
fn sign(c: &mut Canvas, (x, w): (f32, f32), look: &Look, v: u32) {
    let board = (x + 40.0, 120.0, w - 80.0, 84.0);
    c.shadow_rect(board, 12.0);
    c.round(
        board,
        12.0,
        down(
            120.0,
            204.0,
            &[lighter(look.sign, 0.15), look.sign, darker(look.sign, 0.2)],
        ),
    );
    let bright = look.sign >> 16 > 0x90;
    let ink = if bright {
        darker(look.sign, 0.75)
    } else {
        0xffe6b0
    };
    c.glow(x + w / 2.0, 162.0, 280.0, 0xffd080, 0.3);
    c.circle(x + 92.0, 162.0, 27.0, solid(ink));
    c.circle(x + 92.0, 162.0, 16.0, solid(look.sign));
    let glyphs = 3 + v % 3;
    for n in 0..glyphs {
        let left = x + 150.0 + n as f32 * 66.0;
        c.round((left, 138.0, 46.0, 9.0), 4.0, solid(ink));
        c.round((left + 18.0, 138.0, 10.0, 48.0), 4.0, solid(ink));
        c.round((left + 4.0, 158.0, 38.0, 8.0), 4.0, solid(ink));
        if (n + v).is_multiple_of(2) {
            c.round((left, 178.0, 46.0, 8.0), 4.0, solid(ink));
        } else {
            c.line(
                polyline(&[(left + 20.0, 164.0), (left + 4.0, 184.0)]),
                8.0,
                solid(ink),
            );
            c.line(
                polyline(&[(left + 26.0, 164.0), (left + 42.0, 184.0)]),
                8.0,
                solid(ink),
            );
        }
    }
}

fn shop_window(c: &mut Canvas, area: (f32, f32, f32, f32), v: u32) {
    let (x, y, w, h) = area;
    c.glow(x + w / 2.0, y + h / 2.0, 260.0, 0xffc86a, 0.5);
    c.round((x - 9.0, y - 9.0, w + 18.0, h + 18.0), 6.0, solid(0x3a261c));
    c.rect(area, down(y, y + h, &[0xffe2a0, 0xfbc06a, 0xd88a44]));
    for n in 0..3 {
        let at = x + 50.0 + n as f32 * 100.0;
        c.line(polyline(&[(at, y), (at, y + 34.0)]), 2.0, solid(0x5a3620));
        bulb(c, at, y + 42.0, 9.0, 0xffe090);
        guest(c, (at + 6.0, y + h), n + v);
    }
    c.rect(
        (x, y + h - 34.0, w, 34.0),
        down(y + h - 34.0, y + h, &[0x9a5a30, 0x5a3018]),
    );
    for n in 0..5 {
        let at = x + 34.0 + n as f32 * 58.0;
        c.oval(at, y + h - 36.0, 19.0, 7.0, solid(0xfffbf2));
        c.oval(
            at,
            y + h - 39.0,
            12.0,
            5.0,
            solid([0xd84a2c, 0x7ab84a, 0xf2b83a][(n + v as usize) % 3]),
        );
    }
    for n in 1..3 {
        c.rect((x + n as f32 * w / 3.0 - 3.0, y, 6.0, h), solid(0x3a261c));
    }
    c.fill(
        polygon(&[(x, y), (x + w * 0.22, y), (x, y + h * 0.75)]),
        sheer(0xffffff, 0.2),
    );
}

/// Someone sitting inside, as a soft silhouette.
fn guest(c: &mut Canvas, (x, y): (f32, f32), n: u32) {
    let hex = [0x8a4a3a, 0x4a5a6a, 0x7a5a3a, 0x5a3a4a][n as usize % 4];
    c.round((x - 26.0, y - 72.0, 52.0, 80.0), 24.0, sheer(hex, 0.85));
    c.circle(x, y - 88.0, 17.0, sheer(0xe9b088, 0.95));
    c.fill(oval(x, y - 96.0, 18.0, 12.0), sheer(0x3a221a, 0.95));
}

fn door(c: &mut Canvas, (x, y, w, h): (f32, f32, f32, f32), look: &Look) {
    let hex = darker(look.awning, 0.35);
    c.rect((x - 9.0, y - 9.0, w + 18.0, h + 9.0), solid(0x3a261c));
    c.rect(
        (x, y, w, h),
        linear(
            (x, 0.0),
            (x + w, 0.0),
            &[lighter(hex, 0.25), hex, darker(hex, 0.2)],
        ),
    );
    c.round(
        (x + 20.0, y + 22.0, w - 40.0, h * 0.55),
        8.0,
        down(y, y + h * 0.6, &[0xffe8b0, 0xf6b862]),
    );
    c.rect((x + w / 2.0 - 3.0, y + 22.0, 6.0, h * 0.55), solid(hex));
    c.round(
        (x + w - 30.0, y + h * 0.68, 9.0, 40.0),
        4.0,
        solid(0xe9c87a),
    );
    c.at((x + w / 2.0, y + h * 0.3), -6.0, 1.0, |c| {
        c.round((-30.0, -15.0, 60.0, 30.0), 5.0, solid(0xfffbf2));
        c.round((-20.0, -6.0, 40.0, 4.0), 2.0, solid(look.awning));
        c.round((-14.0, 3.0, 28.0, 4.0), 2.0, solid(look.awning));
    });
}

fn awning(c: &mut Canvas, (x, w): (f32, f32), look: &Look, v: u32) {
    const STRIPES: u32 = 14;
    let (top, bottom, step) = (222.0, 282.0, w / STRIPES as f32);
    let pale = if lighter(look.awning, 0.0) >> 16 > 0xe8 {
        0x8a1c1c
    } else {
        0xfdf4e4
    };
    for n in 0..STRIPES {
        let hex = if n % 2 == 0 || v % 4 == 3 {
            look.awning
        } else {
            pale
        };
        let left = x + n as f32 * step;
        let inset = |at: f32| x + w / 2.0 + (at - x - w / 2.0) * 0.95;
        c.fill(
            polygon(&[
                (inset(left), top),
                (inset(left + step), top),
                (left + step, bottom),
                (left, bottom),
            ]),
            down(top, bottom, &[lighter(hex, 0.2), hex, darker(hex, 0.12)]),
        );
        c.circle(
            left + step / 2.0,
            bottom,
            step / 2.0,
            solid(darker(hex, 0.1)),
        );
    }
    c.rect((x, bottom + step / 2.0, w, 20.0), sheer(SHADOW, 0.25));
}

fn pavement(c: &mut Canvas, look: &Look) {
    let hex = blend(0x5a5458, look.sky[1], 0.35);
    c.rect(
        (0.0, GROUND, 800.0, 100.0),
        down(GROUND, 600.0, &[darker(hex, 0.1), darker(hex, 0.45)]),
    );
    for n in 0..9 {
        let x = n as f32 * 100.0;
        c.line(
            polyline(&[(x, GROUND), (400.0 + (x - 400.0) * 1.5, 600.0)]),
            2.0,
            sheer(SHADOW, 0.25),
        );
    }
    c.line(
        polyline(&[(0.0, 542.0), (800.0, 542.0)]),
        2.0,
        sheer(SHADOW, 0.25),
    );
    for (x, r) in [(296.0, 190.0), (576.0, 130.0)] {
        let ink = radial(x, GROUND, r, &[(0.0, 0xffc86a, 0.55), (1.0, 0xffc86a, 0.0)]);
        c.oval(x, GROUND + 44.0, r, 52.0, ink);
    }
}

fn red_lantern(c: &mut Canvas, (x, y): (f32, f32)) {
    c.glow(x, y + 26.0, 120.0, 0xff5a2a, 0.45);
    c.rect((x - 1.5, y - 40.0, 3.0, 40.0), solid(0x3a1c14));
    c.oval(
        x,
        y + 28.0,
        38.0,
        33.0,
        radial(
            x - 8.0,
            y + 20.0,
            46.0,
            &[
                (0.0, 0xffb05a, 1.0),
                (0.5, 0xe83a22, 1.0),
                (1.0, 0xa81414, 1.0),
            ],
        ),
    );
    for k in [-20.0, 0.0, 20.0] {
        c.line(oval(x, y + 28.0, k, 33.0), 1.6, sheer(0x7a0c0c, 0.5));
    }
    for top in [y - 8.0, y + 58.0] {
        c.round((x - 15.0, top, 30.0, 8.0), 3.0, solid(0xe9b84a));
    }
    c.line(
        polyline(&[(x, y + 66.0), (x, y + 94.0)]),
        5.0,
        solid(0xe83a22),
    );
}

fn stool(c: &mut Canvas, (x, y): (f32, f32), hex: u32) {
    c.oval(x, y + 3.0, 36.0, 7.0, sheer(SHADOW, 0.4));
    for dx in [-20.0, 20.0] {
        c.line(
            polyline(&[(x + dx * 0.7, y - 40.0), (x + dx, y)]),
            6.0,
            solid(0x5a3a26),
        );
    }
    c.oval(x, y - 42.0, 30.0, 9.0, solid(darker(hex, 0.2)));
    c.oval(x, y - 46.0, 30.0, 9.0, solid(lighter(hex, 0.2)));
}
