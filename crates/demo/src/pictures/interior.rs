//! What rooms have in common: walls, floors, lamps, plants, windows, sofas.

use super::canvas::{Canvas, SHADOW};
use super::ink::{darker, down, lighter, linear, radial, sheer, solid};
use super::shapes::{arc, bow, polygon, polyline};

/// Where the wall meets the floor.
pub(super) const FLOOR: f32 = 430.0;

/// A wall lit from above and a floor running towards the viewer.
pub(super) fn room(c: &mut Canvas, wall: u32, floor: u32) {
    c.rect(
        (0.0, 0.0, 800.0, FLOOR),
        down(0.0, FLOOR, &[lighter(wall, 0.12), wall, darker(wall, 0.15)]),
    );
    c.rect(
        (0.0, FLOOR, 800.0, 170.0),
        down(
            FLOOR,
            600.0,
            &[darker(floor, 0.18), floor, lighter(floor, 0.12)],
        ),
    );
    for n in 0..15 {
        let x = n as f32 * 800.0 / 14.0;
        let far = 400.0 + (x - 400.0) * 0.62;
        c.line(
            polyline(&[(far, FLOOR), (400.0 + (x - 400.0) * 1.5, 600.0)]),
            1.5,
            sheer(darker(floor, 0.5), 0.3),
        );
    }
    c.rect((0.0, FLOOR - 8.0, 800.0, 10.0), solid(lighter(wall, 0.3)));
    c.rect(
        (0.0, FLOOR, 800.0, 14.0),
        down(
            FLOOR,
            FLOOR + 14.0,
            &[darker(floor, 0.4), darker(floor, 0.2)],
        ),
    );
}

/// A lamp hanging from the ceiling, with its light.
pub(super) fn pendant(c: &mut Canvas, x: f32, y: f32, hex: u32) {
    c.line(polyline(&[(x, 0.0), (x, y - 30.0)]), 2.5, solid(0x2a2422));
    c.glow(x, y + 20.0, 190.0, 0xffd98a, 0.5);
    let shade = polygon(&[
        (x - 15.0, y - 32.0),
        (x + 15.0, y - 32.0),
        (x + 44.0, y + 8.0),
        (x - 44.0, y + 8.0),
    ]);
    c.fill(
        shade,
        linear(
            (x - 44.0, 0.0),
            (x + 44.0, 0.0),
            &[lighter(hex, 0.3), hex, darker(hex, 0.3)],
        ),
    );
    c.oval(x, y + 9.0, 44.0, 8.0, solid(0xfff2cc));
}

/// A pot with leaves, standing at the given foot point.
pub(super) fn plant(c: &mut Canvas, (x, y): (f32, f32), size: f32, pot: u32) {
    c.oval(x + 6.0, y, size * 0.42, size * 0.09, sheer(SHADOW, 0.35));
    for n in 0..11 {
        let degrees = -170.0 + n as f32 * 16.0;
        let green = [0x3d7a3c, 0x5a9a48, 0x2f663a][n % 3];
        let length = size * c.random.range(0.65, 0.95);
        super::table::garnish(c, (x, y - size * 0.42), degrees, length, green);
    }
    let sides = polygon(&[
        (x - size * 0.3, y - size * 0.46),
        (x + size * 0.3, y - size * 0.46),
        (x + size * 0.2, y),
        (x - size * 0.2, y),
    ]);
    c.fill(
        sides,
        linear(
            (x - size * 0.3, 0.0),
            (x + size * 0.3, 0.0),
            &[lighter(pot, 0.3), pot, darker(pot, 0.3)],
        ),
    );
}

/// A window onto a city, by day or by night.
pub(super) fn window(c: &mut Canvas, (x, y, w, h): (f32, f32, f32, f32), night: bool) {
    let sky: &[u32] = if night {
        &[0x1c244a, 0x4a3a7a, 0xf08a6a]
    } else {
        &[0x8ac4ea, 0xcfe8f6, 0xf9eed8]
    };
    c.round((x - 8.0, y - 8.0, w + 16.0, h + 16.0), 8.0, solid(0xf3eee6));
    c.rect((x, y, w, h), down(y, y + h, sky));
    let blocks = (w / 26.0) as u32;
    for n in 0..blocks {
        let height = h * c.random.range(0.15, 0.6);
        let left = x + n as f32 * w / blocks as f32;
        let hex = if night { 0x1a1c36 } else { 0x9ab4c8 };
        c.rect(
            (left, y + h - height, w / blocks as f32 - 3.0, height),
            sheer(hex, 0.85),
        );
        for k in 0..(height / 18.0) as u32 {
            if night && c.random.chance(60) {
                c.rect(
                    (left + 6.0, y + h - height + 6.0 + k as f32 * 17.0, 6.0, 8.0),
                    sheer(0xffd97a, 0.9),
                );
            }
        }
    }
    c.rect((x + w / 2.0 - 3.0, y, 6.0, h), solid(0xf3eee6));
    c.fill(
        polygon(&[(x, y), (x + w * 0.35, y), (x, y + h * 0.6)]),
        sheer(0xffffff, 0.12),
    );
}

/// A sofa with its left back corner at the point.
pub(super) fn sofa(c: &mut Canvas, (x, y, w): (f32, f32, f32), hex: u32) {
    c.oval(x + w / 2.0, y + 132.0, w * 0.53, 16.0, sheer(SHADOW, 0.4));
    c.round(
        (x, y, w, 100.0),
        28.0,
        down(y, y + 100.0, &[lighter(hex, 0.25), hex]),
    );
    let seats = (w / 120.0).max(1.0) as u32;
    for n in 0..seats {
        let left = x + 20.0 + n as f32 * (w - 40.0) / seats as f32;
        c.round(
            (left, y + 56.0, (w - 40.0) / seats as f32 - 5.0, 48.0),
            14.0,
            down(
                y + 56.0,
                y + 104.0,
                &[lighter(hex, 0.38), hex, darker(hex, 0.12)],
            ),
        );
    }
    for left in [x - 14.0, x + w - 30.0] {
        c.round(
            (left, y + 34.0, 44.0, 88.0),
            20.0,
            down(y + 34.0, y + 122.0, &[lighter(hex, 0.3), darker(hex, 0.2)]),
        );
    }
    c.round(
        (x - 4.0, y + 100.0, w + 8.0, 26.0),
        10.0,
        solid(darker(hex, 0.25)),
    );
}

/// A cushion on a sofa.
pub(super) fn cushion(c: &mut Canvas, place: (f32, f32), hex: u32) {
    c.at(place, 12.0, 1.0, |c| {
        c.round((-26.0, -26.0, 56.0, 56.0), 14.0, sheer(SHADOW, 0.3));
        c.round(
            (-28.0, -30.0, 56.0, 56.0),
            14.0,
            linear((-28.0, -30.0), (28.0, 26.0), &[lighter(hex, 0.35), hex]),
        );
    });
}

/// A low table with something to eat and drink on it.
pub(super) fn low_table(c: &mut Canvas, (x, y): (f32, f32), hex: u32) {
    c.oval(x, y + 62.0, 190.0, 20.0, sheer(SHADOW, 0.45));
    c.rect((x - 120.0, y + 6.0, 14.0, 54.0), solid(darker(hex, 0.4)));
    c.rect((x + 106.0, y + 6.0, 14.0, 54.0), solid(darker(hex, 0.4)));
    c.oval(x, y + 8.0, 180.0, 32.0, solid(darker(hex, 0.35)));
    c.oval(
        x,
        y,
        180.0,
        32.0,
        linear(
            (x - 180.0, y),
            (x + 180.0, y),
            &[lighter(hex, 0.4), hex, darker(hex, 0.2)],
        ),
    );
}

/// A round lamp bulb with its halo.
pub(super) fn bulb(c: &mut Canvas, x: f32, y: f32, r: f32, hex: u32) {
    c.glow(x, y, r * 4.5, hex, 0.5);
    c.circle(
        x,
        y,
        r,
        radial(
            x,
            y,
            r,
            &[(0.0, 0xffffff, 1.0), (1.0, lighter(hex, 0.3), 1.0)],
        ),
    );
}

/// A glowing line, as of a neon tube.
pub(super) fn neon(c: &mut Canvas, path: Option<tiny_skia::Path>, hex: u32) {
    for (width, alpha) in [(26.0, 0.1), (16.0, 0.18), (9.0, 0.35)] {
        c.line(path.clone(), width, sheer(hex, alpha));
    }
    c.line(path, 4.0, solid(lighter(hex, 0.7)));
}

/// A string of lights from one side to the other.
pub(super) fn string_lights(c: &mut Canvas, y: f32, sag: f32, colours: &[u32]) {
    c.line(
        bow((0.0, y), (400.0, y + sag * 2.0), (800.0, y)),
        2.5,
        solid(0x2a2222),
    );
    for n in 1..14 {
        let t = n as f32 / 14.0;
        let drop = 4.0 * t * (1.0 - t) * sag;
        bulb(
            c,
            t * 800.0,
            y + drop + 9.0,
            7.0,
            colours[n % colours.len()],
        );
    }
}

/// A mirror with a frame; `r` rounds its top.
pub(super) fn mirror(c: &mut Canvas, area: (f32, f32, f32, f32), r: f32, frame: u32) {
    let (x, y, w, h) = area;
    c.shadow_rect((x - 9.0, y - 9.0, w + 18.0, h + 18.0), r);
    c.round(
        (x - 9.0, y - 9.0, w + 18.0, h + 18.0),
        r + 9.0,
        linear(
            (x, y),
            (x + w, y + h),
            &[lighter(frame, 0.4), frame, darker(frame, 0.2)],
        ),
    );
    c.round(
        area,
        r,
        linear((x, y), (x + w, y + h), &[0xeaf4f6, 0xb8cfd6, 0xdceaee]),
    );
    c.fill(
        polygon(&[
            (x + w * 0.15, y + h * 0.9),
            (x + w * 0.7, y + h * 0.12),
            (x + w * 0.85, y + h * 0.12),
            (x + w * 0.3, y + h * 0.9),
        ]),
        sheer(0xffffff, 0.35),
    );
}

/// A balloon on its string.
pub(super) fn balloon(c: &mut Canvas, x: f32, y: f32, r: f32, hex: u32) {
    c.line(
        bow((x, y + r), (x + 14.0, y + r * 2.2), (x - 4.0, y + r * 3.4)),
        1.8,
        sheer(0x4a4040, 0.6),
    );
    c.fill(
        polygon(&[
            (x - 6.0, y + r * 1.28),
            (x + 6.0, y + r * 1.28),
            (x, y + r * 1.08),
        ]),
        solid(darker(hex, 0.2)),
    );
    let ink = radial(
        x - r * 0.35,
        y - r * 0.4,
        r * 1.7,
        &[
            (0.0, lighter(hex, 0.55), 1.0),
            (0.5, hex, 1.0),
            (1.0, darker(hex, 0.3), 1.0),
        ],
    );
    c.oval(x, y, r, r * 1.18, ink);
    c.line(
        arc(x, y, r * 0.68, 195.0, 240.0),
        r * 0.12,
        sheer(0xffffff, 0.7),
    );
}
