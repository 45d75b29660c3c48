//! Shop fronts at dusk: sky and skyline, a sign, a lit window that shows the trade, an awning, a wet pavement.
//!
//! Invariant: what the sign says and the window shows is what the shop sells.

mod display;

use super::canvas::{Canvas, SHADOW};
use super::ink::{blend, darker, down, lighter, linear, radial, sheer, solid};
use super::interior::{bulb, plant};
use super::lettering;
use super::shapes::{oval, polygon, polyline};
use display::Display;

/// What tells the fronts of one kind of shop from those of another.
struct Trade {
    /// In the site's language, and beside it in Latin letters.
    sign: (&'static str, &'static str),
    display: Display,
    /// What stands before the door.
    outside: Outside,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outside {
    LanternsAndStools,
    Stools,
    Nothing,
}

/// In the order of the scenes that show the inside.
const TRADES: [Trade; 18] = [
    trade(
        ("面", "NOODLES"),
        Display::Tables,
        Outside::LanternsAndStools,
    ),
    trade(
        ("火锅", "HOT POT"),
        Display::Tables,
        Outside::LanternsAndStools,
    ),
    trade(
        ("小菜", "KITCHEN"),
        Display::Tables,
        Outside::LanternsAndStools,
    ),
    trade(
        ("早茶", "DIM SUM"),
        Display::Tables,
        Outside::LanternsAndStools,
    ),
    trade(
        ("寿司", "SUSHI"),
        Display::Tables,
        Outside::LanternsAndStools,
    ),
    trade(("咖啡", "COFFEE"), Display::Counter, Outside::Stools),
    trade(("甜品", "DESSERT"), Display::Counter, Outside::Stools),
    trade(("串", "GRILL"), Display::Tables, Outside::LanternsAndStools),
    trade(("轻食", "SALAD"), Display::Counter, Outside::Stools),
    trade(("KTV", ""), Display::Neon, Outside::Nothing),
    trade(("美发", "HAIR"), Display::Mirrors, Outside::Nothing),
    trade(("运动", "GYM"), Display::Weights, Outside::Nothing),
    trade(("足道", "FOOT SPA"), Display::Curtains, Outside::Nothing),
    trade(("SPA", "BEAUTY"), Display::Curtains, Outside::Nothing),
    trade(("乐园", "KIDS"), Display::Toys, Outside::Nothing),
    trade(("酒吧", "BAR"), Display::Neon, Outside::Stools),
    trade(("PARTY", ""), Display::Neon, Outside::Nothing),
    trade(("美甲", "NAILS"), Display::Polish, Outside::Nothing),
];

/// How many fronts there are of each kind of shop.
pub(super) const FRONTS_OF_A_KIND: u32 = 2;
/// All of them, kind after kind.
pub(super) const FRONTS: u32 = TRADES.len() as u32 * FRONTS_OF_A_KIND;

const fn trade(sign: (&'static str, &'static str), display: Display, outside: Outside) -> Trade {
    Trade {
        sign,
        display,
        outside,
    }
}

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

/// Those under a dark sky, for what opens in the evening.
const NIGHT_LOOKS: [usize; 5] = [1, 3, 5, 7, 9];

/// Where the pavement begins.
const GROUND: f32 = 500.0;

pub(super) fn storefront(c: &mut Canvas, v: u32) {
    let trade = &TRADES[(v / FRONTS_OF_A_KIND) as usize % TRADES.len()];
    let look = match trade.display {
        Display::Neon => &LOOKS[NIGHT_LOOKS[v as usize % NIGHT_LOOKS.len()]],
        _ => &LOOKS[v as usize % LOOKS.len()],
    };
    if v % 3 == 1 {
        c.mirrored(|c| front(c, trade, look, v));
    } else {
        front(c, trade, look, v);
    }
    // After the mirror, which would turn the letters round; the board is in the middle either way.
    sign(c, trade, look);
}

/// Left edge and width of the building.
const FRONT: (f32, f32) = (110.0, 580.0);

fn front(c: &mut Canvas, trade: &Trade, look: &Look, v: u32) {
    c.background(down(0.0, 420.0, &look.sky));
    skyline(c, look);
    let (x, w) = FRONT;
    facade(c, (x, w), look);
    display::shop_window(c, (x + 36.0, 290.0, 300.0, 168.0), trade.display, v);
    door(c, (x + 400.0, 275.0, 132.0, 225.0), look);
    awning(c, (x - 14.0, w + 28.0), look, v);
    pavement(c, look);
    if trade.outside == Outside::LanternsAndStools {
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
    if trade.outside != Outside::Nothing {
        stool(c, (x + 160.0, 545.0), look.awning);
        stool(c, (x + 240.0, 552.0), look.awning);
    }
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

/// Heights of the large and the small letters.
const LETTERS: (f32, f32) = (56.0, 26.0);
const BETWEEN_LETTERS: f32 = 30.0;

/// A lit board with letters across its middle.
fn sign(c: &mut Canvas, trade: &Trade, look: &Look) {
    let (x, w) = FRONT;
    let (top, height) = (116.0, 90.0);
    let board = (x + 40.0, top, w - 80.0, height);
    c.shadow_rect(board, 12.0);
    let shades = [lighter(look.sign, 0.15), look.sign, darker(look.sign, 0.2)];
    c.round(board, 12.0, down(top, top + height, &shades));
    let bright = look.sign >> 16 > 0x90;
    let ink = if bright {
        darker(look.sign, 0.8)
    } else {
        0xffe9bc
    };
    c.glow(x + w / 2.0, top + height / 2.0, 280.0, 0xffd080, 0.25);
    let (large, small) = trade.sign;
    let widths = (
        lettering::width(large, LETTERS.0),
        lettering::width(small, LETTERS.1),
    );
    let gap = if small.is_empty() {
        0.0
    } else {
        BETWEEN_LETTERS
    };
    let left = x + (w - widths.0 - gap - widths.1) / 2.0;
    let middle = top + height / 2.0;
    let letters = solid(ink);
    lettering::write(
        c,
        large,
        (left, middle - LETTERS.0 / 2.0),
        LETTERS.0,
        &letters,
    );
    let after = left + widths.0 + gap;
    // Their feet stand on the line of the large ones.
    let foot = middle + LETTERS.0 / 2.0 - LETTERS.1;
    lettering::write(c, small, (after, foot), LETTERS.1, &letters);
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
