//! What a lit shop window shows of the trade inside.

use super::super::canvas::Canvas;
use super::super::ink::{darker, down, lighter, sheer, solid};
use super::super::interior::bulb;
use super::super::shapes::{arc, oval, polygon, polyline};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Display {
    /// Guests at their tables.
    Tables,
    /// A glass case, and cups on a shelf above it.
    Counter,
    /// Dark, with tubes of light.
    Neon,
    Mirrors,
    Weights,
    Curtains,
    Toys,
    /// Little bottles in rows.
    Polish,
}

type Area = (f32, f32, f32, f32);

/// The wood around the panes.
const FRAME: u32 = 0x3a261c;

pub(super) fn shop_window(c: &mut Canvas, area: Area, display: Display, v: u32) {
    let (x, y, w, h) = area;
    let [glow, light] = match display {
        Display::Neon => [0xd85ac8, 0x2a1838],
        Display::Curtains => [0xffc890, 0xf0c08a],
        Display::Mirrors | Display::Polish | Display::Toys => [0xfff0d0, 0xfff0d8],
        Display::Weights => [0xd8f0ff, 0xd8e8f0],
        Display::Tables | Display::Counter => [0xffc86a, 0xffe2a0],
    };
    c.glow(x + w / 2.0, y + h / 2.0, 260.0, glow, 0.5);
    c.round((x - 9.0, y - 9.0, w + 18.0, h + 18.0), 6.0, solid(FRAME));
    c.rect(
        area,
        down(y, y + h, &[light, darker(light, 0.12), darker(light, 0.34)]),
    );
    match display {
        Display::Tables => tables(c, area, v),
        Display::Counter => counter(c, area, v),
        Display::Neon => neon(c, area, v),
        Display::Mirrors => mirrors(c, area),
        Display::Weights => weights(c, area, v),
        Display::Curtains => curtains(c, area, v),
        Display::Toys => toys(c, area, v),
        Display::Polish => polish(c, area, v),
    }
    for n in 1..3 {
        c.rect((x + n as f32 * w / 3.0 - 3.0, y, 6.0, h), solid(FRAME));
    }
    let shine = polygon(&[(x, y), (x + w * 0.22, y), (x, y + h * 0.75)]);
    c.fill(shine, sheer(0xffffff, 0.2));
}

fn tables(c: &mut Canvas, (x, y, w, h): Area, v: u32) {
    for n in 0..3 {
        let at = x + 50.0 + n as f32 * 100.0;
        lamp(c, (at, y));
        guest(c, (at + 6.0, y + h), n + v);
    }
    sill(c, (x, y + h - 34.0, w, 34.0), 0x9a5a30);
    for n in 0..5 {
        let at = x + 34.0 + n as f32 * 58.0;
        c.oval(at, y + h - 36.0, 19.0, 7.0, solid(0xfffbf2));
        let food = [0xd84a2c, 0x7ab84a, 0xf2b83a][(n + v as usize) % 3];
        c.oval(at, y + h - 39.0, 12.0, 5.0, solid(food));
    }
}

fn counter(c: &mut Canvas, (x, y, w, h): Area, v: u32) {
    c.rect((x, y + 46.0, w, 5.0), solid(0x7a4a2a));
    for n in 0..11 {
        let left = x + 12.0 + n as f32 * 26.0;
        let cup = [0xfffbf2, 0xd8e4e0, 0xe8b890][(n + v) as usize % 3];
        c.round((left, y + 30.0, 14.0, 16.0), 4.0, solid(cup));
        c.ring(left + 15.0, y + 37.0, 4.0, 2.0, solid(cup));
    }
    for n in 0..3 {
        lamp(c, (x + 50.0 + n as f32 * 100.0, y));
    }
    guest(c, (x + w * 0.7, y + h - 46.0), v);
    c.rect(
        (x, y + h - 74.0, w, 74.0),
        down(y + h - 74.0, y + h, &[0xfff6e0, 0xe8c898]),
    );
    for shelf in 0..2 {
        let foot = y + h - 44.0 + shelf as f32 * 32.0;
        for n in 0..7 {
            let at = x + 26.0 + n as f32 * 41.0;
            let sweet = [0xf2a0b0, 0x8a5232, 0xf2c84a, 0x9ac46a, 0xfff2e0]
                [(n * 2 + shelf + v) as usize % 5];
            c.round((at - 12.0, foot - 15.0, 24.0, 15.0), 4.0, solid(sweet));
            c.circle(at, foot - 17.0, 4.0, solid(lighter(sweet, 0.4)));
        }
        c.rect((x, foot, w, 3.0), solid(0xb08858));
    }
}

fn neon(c: &mut Canvas, (x, y, w, h): Area, v: u32) {
    const TUBES: [u32; 4] = [0xff4fa0, 0x4fd8ff, 0xffd84f, 0x9a6aff];
    for n in 0..4 {
        let (at, hex) = (x + 38.0 + n as f32 * 75.0, TUBES[(n + v) as usize % 4]);
        c.glow(at, y + h * 0.45, 80.0, hex, 0.55);
        c.line(
            polyline(&[(at - 22.0, y + 26.0), (at + 4.0, y + 96.0)]),
            5.0,
            solid(lighter(hex, 0.35)),
        );
        c.line(
            polyline(&[(at + 4.0, y + 96.0), (at + 22.0, y + 40.0)]),
            5.0,
            solid(lighter(hex, 0.35)),
        );
    }
    for n in 0..3 {
        guest(c, (x + 55.0 + n as f32 * 96.0, y + h + 8.0), n + v);
    }
    sill(c, (x, y + h - 26.0, w, 26.0), 0x4a2a5a);
    for n in 0..9 {
        let at = x + 20.0 + n as f32 * 33.0;
        let drink = TUBES[(n + v) as usize % 4];
        c.round((at - 5.0, y + h - 44.0, 10.0, 20.0), 3.0, sheer(drink, 0.9));
    }
}

fn mirrors(c: &mut Canvas, (x, y, w, h): Area) {
    for n in 0..3 {
        let at = x + 50.0 + n as f32 * 100.0;
        c.glow(at, y + 62.0, 60.0, 0xffffff, 0.6);
        c.oval(at, y + 62.0, 34.0, 44.0, solid(0x8a6a4a));
        c.oval(
            at,
            y + 62.0,
            29.0,
            39.0,
            down(y + 20.0, y + 104.0, &[0xf4fafc, 0xa8c4d0]),
        );
        c.round((at - 25.0, y + h - 60.0, 50.0, 44.0), 14.0, solid(0x2e2a32));
        c.round((at - 33.0, y + h - 34.0, 66.0, 16.0), 8.0, solid(0x46404c));
        c.rect((at - 4.0, y + h - 20.0, 8.0, 20.0), solid(0xb8bcc4));
    }
    c.rect((x, y + 108.0, w, 5.0), solid(0xa8805a));
    for n in 0..8 {
        let left = x + 10.0 + n as f32 * 38.0;
        let bottle = [0xd86a5a, 0x5a8ab8, 0xe8c05a][n % 3];
        c.round((left, y + 92.0, 9.0, 16.0), 3.0, solid(bottle));
    }
}

fn weights(c: &mut Canvas, (x, y, w, h): Area, v: u32) {
    for n in 0..2 {
        runner(c, (x + 62.0 + n as f32 * 100.0, y + h - 18.0), n + v);
    }
    let (left, right) = (x + w - 92.0, x + w - 10.0);
    for row in 0..3 {
        let at = y + 60.0 + row as f32 * 36.0;
        c.rect(
            (left - 6.0, at + 9.0, right - left + 12.0, 5.0),
            solid(0x3a4048),
        );
        for n in 0..3 {
            let middle = left + 13.0 + n as f32 * 28.0;
            c.rect((middle - 10.0, at - 2.0, 20.0, 4.0), solid(0xc8ccd2));
            for end in [-11.0, 5.0] {
                c.round((middle + end, at - 9.0, 7.0, 18.0), 2.0, solid(0x23262c));
            }
        }
    }
    c.rect((x, y + h - 12.0, w, 12.0), solid(0x50585f));
}

/// Someone on a treadmill.
fn runner(c: &mut Canvas, (x, y): (f32, f32), n: u32) {
    let shirt = [0xd84a3a, 0x2f8a6a, 0x3a6ab8][n as usize % 3];
    c.rect((x - 34.0, y, 62.0, 8.0), solid(0x2a2e34));
    c.line(
        polyline(&[(x + 26.0, y), (x + 34.0, y - 64.0), (x + 20.0, y - 66.0)]),
        5.0,
        solid(0x2a2e34),
    );
    c.line(
        polyline(&[
            (x - 2.0, y - 46.0),
            (x + 12.0, y - 24.0),
            (x + 4.0, y - 2.0),
        ]),
        9.0,
        solid(0x2c3440),
    );
    c.line(
        polyline(&[
            (x - 4.0, y - 46.0),
            (x - 14.0, y - 22.0),
            (x - 30.0, y - 12.0),
        ]),
        9.0,
        solid(0x2c3440),
    );
    c.line(
        polyline(&[(x - 4.0, y - 46.0), (x + 4.0, y - 84.0)]),
        19.0,
        solid(shirt),
    );
    c.line(
        polyline(&[
            (x + 4.0, y - 80.0),
            (x + 16.0, y - 62.0),
            (x + 26.0, y - 72.0),
        ]),
        7.0,
        solid(0xe9b088),
    );
    c.circle(x + 9.0, y - 106.0, 12.0, solid(0xe9b088));
    c.fill(oval(x + 6.0, y - 112.0, 13.0, 8.0), solid(0x3a221a));
}

fn curtains(c: &mut Canvas, (x, y, w, h): Area, v: u32) {
    let cloth = [0xc8a27a, 0xb8907a, 0x9aa88a][v as usize % 3];
    for n in 0..14 {
        let share = n as f32 / 14.0;
        // Open in the middle.
        if (0.36..0.6).contains(&share) {
            continue;
        }
        let (left, fold) = (x + share * w, w / 14.0);
        let hex = if n % 2 == 0 {
            lighter(cloth, 0.18)
        } else {
            darker(cloth, 0.12)
        };
        c.rect(
            (left, y, fold, h),
            down(y, y + h, &[hex, darker(hex, 0.18)]),
        );
    }
    let middle = x + w / 2.0;
    c.glow(middle, y + 74.0, 70.0, 0xfff2c8, 0.8);
    c.fill(
        polygon(&[
            (middle - 12.0, y + 56.0),
            (middle + 12.0, y + 56.0),
            (middle + 22.0, y + 88.0),
            (middle - 22.0, y + 88.0),
        ]),
        solid(0xfff4d8),
    );
    c.rect((middle - 2.0, y + 88.0, 4.0, 32.0), solid(0x5a3a24));
    sill(c, (x, y + h - 46.0, w, 46.0), 0xa87850);
    for n in 0..3 {
        let at = middle - 24.0 + n as f32 * 24.0;
        c.round((at - 10.0, y + h - 58.0, 20.0, 13.0), 6.0, solid(0xfdf8ee));
        c.line(arc(at, y + h - 52.0, 4.0, 0.0, 300.0), 1.5, solid(0xd8c8b0));
    }
}

fn toys(c: &mut Canvas, (x, y, w, h): Area, v: u32) {
    const COLOURS: [u32; 5] = [0xf25a5a, 0x4ab8e8, 0xffc83a, 0x7ac86a, 0xb87ae0];
    for n in 0..3 {
        let (at, hex) = (x + 44.0 + n as f32 * 106.0, COLOURS[(n + v) as usize % 5]);
        c.line(
            polyline(&[(at, y + 58.0), (at + 4.0, y + 104.0)]),
            2.0,
            solid(0x8a8078),
        );
        c.ball(at, y + 36.0, 22.0, hex);
    }
    let slide = polygon(&[
        (x + w - 96.0, y + 70.0),
        (x + w - 74.0, y + 70.0),
        (x + w - 4.0, y + h - 20.0),
        (x + w - 34.0, y + h - 20.0),
    ]);
    c.fill(slide, solid(0xf2a03a));
    c.line(
        polyline(&[(x + w - 92.0, y + 72.0), (x + w - 92.0, y + h)]),
        6.0,
        solid(0x4a8ad8),
    );
    for row in 0..3 {
        for n in 0..12 {
            let shift = (row % 2) as f32 * 12.0;
            let at = (
                x + 10.0 + shift + n as f32 * 24.0,
                y + h - 40.0 + row as f32 * 16.0,
            );
            c.circle(
                at.0,
                at.1,
                12.0,
                solid(COLOURS[(n * 3 + row * 2 + v) as usize % 5]),
            );
            c.circle(at.0 - 4.0, at.1 - 4.0, 3.0, sheer(0xffffff, 0.7));
        }
    }
}

fn polish(c: &mut Canvas, (x, y, w, h): Area, v: u32) {
    const COLOURS: [u32; 6] = [0xe84a6a, 0xf2a0b8, 0xb83a4a, 0xe8c8b8, 0x8a6ab8, 0xf27a5a];
    for row in 0..3 {
        let foot = y + 46.0 + row as f32 * 42.0;
        for n in 0..13 {
            let left = x + 9.0 + n as f32 * 22.5;
            let hex = COLOURS[(n * 5 + row + v) as usize % 6];
            c.round((left, foot - 17.0, 13.0, 17.0), 4.0, solid(hex));
            c.rect((left + 4.0, foot - 31.0, 5.0, 15.0), solid(0x2e2426));
        }
        c.rect((x, foot, w, 4.0), solid(0xd8b8a0));
    }
    sill(c, (x, y + h - 22.0, w, 22.0), 0xe8c8c0);
    for n in 0..3 {
        let at = x + 50.0 + n as f32 * 100.0;
        c.line(
            arc(at, y + h - 24.0, 20.0, 180.0, 360.0),
            6.0,
            solid(0xfffafa),
        );
    }
}

fn lamp(c: &mut Canvas, (x, y): (f32, f32)) {
    c.line(polyline(&[(x, y), (x, y + 34.0)]), 2.0, solid(0x5a3620));
    bulb(c, x, y + 42.0, 9.0, 0xffe090);
}

fn sill(c: &mut Canvas, area: Area, hex: u32) {
    let (_, y, _, h) = area;
    c.rect(area, down(y, y + h, &[hex, darker(hex, 0.4)]));
}

/// Someone sitting inside, as a soft silhouette.
fn guest(c: &mut Canvas, (x, y): (f32, f32), n: u32) {
    let hex = [0x8a4a3a, 0x4a5a6a, 0x7a5a3a, 0x5a3a4a][n as usize % 4];
    c.round((x - 26.0, y - 72.0, 52.0, 80.0), 24.0, sheer(hex, 0.85));
    c.circle(x, y - 88.0, 17.0, sheer(0xe9b088, 0.95));
    c.fill(oval(x, y - 96.0, 18.0, 12.0), sheer(0x3a221a, 0.95));
}
