//! What dishes stand on and are eaten with: table tops, plates, bowls, chopsticks, cups.

use super::canvas::{Canvas, SHADOW};
use super::ink::{blend, darker, down, lighter, linear, radial, sheer, solid};
use super::shapes::{arc, around, bow, in_disc, leaf, polygon};

/// Table tops, one per variant of a scene.
pub(super) fn table(c: &mut Canvas, variant: u32) {
    match variant % 6 {
        0 => planks(c, 0xb97f4f),
        1 => cloth(c, 0xe9dcc7, 0xd9c6a8),
        2 => planks(c, 0x5b3d2e),
        3 => stone(c, 0x3a4048),
        4 => stone(c, 0xe6e2dc),
        _ => cloth(c, 0x7f9a8c, 0x6f8a7c),
    }
    let (w, h) = (c.width(), c.height());
    c.glow(w * 0.2, h * 0.1, w * 0.75, 0xfff3d6, 0.34);
    c.glow(w * 0.95, h * 1.05, w * 0.6, SHADOW, 0.4);
}

fn planks(c: &mut Canvas, hex: u32) {
    const PLANKS: u32 = 5;
    let (w, height) = (c.width(), c.height() / PLANKS as f32);
    for n in 0..PLANKS {
        let y = n as f32 * height;
        let tone = blend(hex, 0xffe0b0, c.random.range(0.0, 0.16));
        c.rect(
            (0.0, y, w, height),
            down(
                y,
                y + height,
                &[lighter(tone, 0.06), tone, darker(tone, 0.12)],
            ),
        );
        for _ in 0..7 {
            let (at, bend) = (
                y + c.random.range(6.0, height - 6.0),
                c.random.range(-9.0, 9.0),
            );
            let (from, to) = (c.random.range(-100.0, 300.0), c.random.range(400.0, 900.0));
            let width = c.random.range(0.8, 2.2);
            let grain = bow((from, at), ((from + to) / 2.0, at + bend), (to, at));
            c.line(grain, width, sheer(darker(tone, 0.5), 0.28));
        }
        c.rect((0.0, y + height - 2.5, w, 2.5), sheer(SHADOW, 0.55));
    }
}

fn cloth(c: &mut Canvas, hex: u32, stripe: u32) {
    let (w, h) = (c.width(), c.height());
    c.background(linear(
        (0.0, 0.0),
        (w, h),
        &[lighter(hex, 0.2), hex, darker(hex, 0.08)],
    ));
    for n in 0..9 {
        let at = n as f32 * w / 8.0 - 20.0;
        c.rect((at, 0.0, 38.0, h), sheer(stripe, 0.5));
        c.rect((0.0, at, w, 38.0), sheer(stripe, 0.5));
    }
}

fn stone(c: &mut Canvas, hex: u32) {
    let (w, h) = (c.width(), c.height());
    c.background(linear(
        (0.0, 0.0),
        (w, h),
        &[lighter(hex, 0.14), hex, darker(hex, 0.2)],
    ));
    for _ in 0..9 {
        let from = (c.random.range(-60.0, w), c.random.range(-60.0, h));
        let to = (
            from.0 + c.random.range(120.0, 420.0),
            from.1 + c.random.range(60.0, 260.0),
        );
        let by = (
            from.0 + c.random.range(0.0, 300.0),
            from.1 + c.random.range(-60.0, 200.0),
        );
        let width = c.random.range(1.0, 5.0);
        c.line(bow(from, by, to), width, sheer(lighter(hex, 0.55), 0.16));
    }
}

/// A flat plate seen from above; the inside reaches to about three quarters of the radius.
pub(super) fn plate(c: &mut Canvas, x: f32, y: f32, r: f32, hex: u32) {
    c.shadow(x, y, r);
    let rim = linear(
        (x - r, y - r),
        (x + r, y + r),
        &[lighter(hex, 0.6), hex, darker(hex, 0.18)],
    );
    c.circle(x, y, r, rim);
    c.ring(x, y, r * 0.96, r * 0.02, sheer(darker(hex, 0.45), 0.5));
    let well = [
        (0.0, lighter(hex, 0.35), 1.0),
        (0.85, hex, 1.0),
        (1.0, darker(hex, 0.16), 1.0),
    ];
    c.circle(
        x,
        y,
        r * 0.76,
        radial(x + r * 0.08, y + r * 0.1, r * 0.86, &well),
    );
    c.line(
        arc(x, y, r * 0.88, 195.0, 250.0),
        r * 0.05,
        sheer(0xffffff, 0.6),
    );
}

/// A deep bowl seen from above; returns the radius of the opening.
pub(super) fn bowl(c: &mut Canvas, x: f32, y: f32, r: f32, hex: u32) -> f32 {
    c.shadow(x, y, r);
    let outside = linear(
        (x - r, y - r),
        (x + r, y + r),
        &[lighter(hex, 0.5), hex, darker(hex, 0.35)],
    );
    c.circle(x, y, r, outside);
    for n in 0..36 {
        let (px, py) = around(x, y, r * 0.935, n as f32 * 10.0);
        c.circle(px, py, r * 0.018, sheer(lighter(hex, 0.75), 0.75));
    }
    let inside = r * 0.86;
    c.circle(
        x,
        y,
        inside,
        linear(
            (x - r, y - r),
            (x + r, y + r),
            &[darker(hex, 0.55), darker(hex, 0.25)],
        ),
    );
    c.line(
        arc(x, y, r * 0.97, 200.0, 255.0),
        r * 0.03,
        sheer(0xffffff, 0.6),
    );
    inside
}

/// Soup, sauce or tea up to the given radius.
pub(super) fn liquid(c: &mut Canvas, x: f32, y: f32, r: f32, hex: u32) {
    let stops = [
        (0.0, lighter(hex, 0.22), 1.0),
        (0.7, hex, 1.0),
        (1.0, darker(hex, 0.4), 1.0),
    ];
    c.circle(x, y, r, radial(x - r * 0.2, y - r * 0.2, r * 1.25, &stops));
    c.line(
        arc(x, y, r * 0.9, 190.0, 240.0),
        r * 0.025,
        sheer(0xffffff, 0.35),
    );
}

/// A pair of chopsticks lying at an angle, tips to the left of the point.
pub(super) fn chopsticks(c: &mut Canvas, place: (f32, f32), degrees: f32, hex: u32) {
    c.at(place, degrees, 1.0, |c| {
        for offset in [0.0, 17.0] {
            c.round((-170.0, offset + 7.0, 350.0, 8.0), 4.0, sheer(SHADOW, 0.35));
            c.fill(
                polygon(&[
                    (-175.0, offset + 2.0),
                    (175.0, offset - 2.0),
                    (175.0, offset + 8.0),
                    (-175.0, offset + 5.0),
                ]),
                down(
                    offset - 2.0,
                    offset + 8.0,
                    &[lighter(hex, 0.3), hex, darker(hex, 0.3)],
                ),
            );
            c.rect((130.0, offset - 1.5, 8.0, 9.0), solid(0xe8c96a));
        }
    });
}

/// A small dish of something liquid.
pub(super) fn dip(c: &mut Canvas, x: f32, y: f32, r: f32, hex: u32) {
    plate(c, x, y, r, 0xf4efe6);
    liquid(c, x, y, r * 0.72, hex);
}

/// A cup of tea from above.
pub(super) fn tea(c: &mut Canvas, x: f32, y: f32, r: f32) {
    let inside = bowl(c, x, y, r, 0xdfe8e4);
    liquid(c, x, y, inside, 0xb97a2c);
    c.at((x - r * 0.1, y + r * 0.15), 30.0, 1.0, |c| {
        c.fill(leaf(r * 0.4, r * 0.14), solid(0x5b6b22));
    });
}

/// Green onion rings strewn over a disc.
pub(super) fn scallions(c: &mut Canvas, (x, y, r): (f32, f32, f32), count: u32) {
    for _ in 0..count {
        let (px, py) = in_disc(x, y, r, &mut c.random);
        let green = c.random.pick(&[0x6fb53c, 0x8ccb4e, 0x4f9635]);
        let size = c.random.range(4.5, 8.0);
        c.ring(px + 1.0, py + 2.0, size, 3.4, sheer(SHADOW, 0.3));
        c.ring(px, py, size, 3.4, solid(green));
    }
}

/// Small bits of one colour strewn over a disc: sesame, chili, crumbs.
pub(super) fn sprinkle(
    c: &mut Canvas,
    (x, y, r): (f32, f32, f32),
    count: u32,
    hex: u32,
    size: f32,
) {
    for _ in 0..count {
        let place = in_disc(x, y, r, &mut c.random);
        let turn = c.random.range(0.0, 180.0);
        c.at(place, turn, 1.0, |c| {
            c.oval(0.8, 1.4, size, size * 0.6, sheer(SHADOW, 0.35));
            c.oval(0.0, 0.0, size, size * 0.6, solid(hex));
        });
    }
}

/// A green leaf with a middle rib, as garnish.
pub(super) fn garnish(c: &mut Canvas, place: (f32, f32), degrees: f32, length: f32, hex: u32) {
    c.at(place, degrees, 1.0, |c| {
        let width = length * 0.42;
        c.at((3.0, 5.0), 0.0, 1.0, |c| {
            c.fill(leaf(length, width), sheer(SHADOW, 0.35));
        });
        c.fill(
            leaf(length, width),
            down(
                -width * 0.5,
                width * 0.5,
                &[lighter(hex, 0.25), hex, darker(hex, 0.25)],
            ),
        );
        c.line(
            bow((2.0, 0.0), (length * 0.5, -2.0), (length * 0.92, 0.0)),
            1.8,
            sheer(lighter(hex, 0.6), 0.8),
        );
    });
}

/// Thin curls of steam above something hot.
pub(super) fn steam(c: &mut Canvas, x: f32, y: f32, r: f32) {
    for n in 0..3 {
        let at = x + (n as f32 - 1.0) * r * 0.4;
        c.glow(at, y - r * 0.2, r * 0.42, 0xffffff, 0.16);
        c.glow(at + r * 0.1, y - r * 0.6, r * 0.5, 0xffffff, 0.13);
    }
}
