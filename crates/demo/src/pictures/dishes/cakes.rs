//! Cakes, whole from above or a piece from the side.

use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, down, lighter, linear, radial, sheer, solid};
use crate::pictures::shapes::{around, polygon, polyline};
use crate::pictures::table::{garnish, plate, table};

/// Icing, sponge and topping, one set per variant.
const CAKES: [[u32; 3]; 6] = [
    [0xfdf3ea, 0xf0cf92, 0xd81f3a],
    [0x6a3a22, 0x4a2618, 0xd81f3a],
    [0xd2e2a0, 0x9ab85a, 0xf6eed8],
    [0xf9c9d2, 0xf3d9a8, 0x4a3a7a],
    [0xffd96a, 0xf3cf80, 0xf28a1a],
    [0xe6d6f0, 0xf0dcb8, 0x3a4a8a],
];

pub(in crate::pictures) fn cake(c: &mut Canvas, v: u32) {
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
            0x5aa55e,
        );
    }
    c.ball(150.0, 530.0, 20.0, CAKES[v as usize % 6][2]);
    c.ball(80.0, 460.0, 15.0, 0xd81f3a);
}

fn whole_cake(c: &mut Canvas, [icing, sponge, topping]: [u32; 3]) {
    let (x, y, r) = (400.0, 300.0, 185.0);
    plate(c, x, y, 255.0, 0xf6f2ec);
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
            if n % 2 == 0 { topping } else { 0x3a3a6a },
        );
    }
    garnish(c, (x - 16.0, y - 20.0), 200.0, 48.0, 0x4fa052);
    garnish(c, (x - 16.0, y - 20.0), 250.0, 44.0, 0x6fb55c);
}

/// Where a piece was taken: the plate shows, with the sponge along both cuts.
fn cut_piece(c: &mut Canvas, (x, y): (f32, f32), r: f32, sponge: u32) {
    let (a, b) = (around(x, y, r + 22.0, 28.0), around(x, y, r + 22.0, 66.0));
    c.fill(polygon(&[(x, y), a, b]), solid(0xe9e2d6));
    c.line(
        polyline(&[(x, y), around(x, y, r, 28.0)]),
        18.0,
        solid(sponge),
    );
    c.line(
        polyline(&[(x + 3.0, y + 5.0), around(x + 3.0, y + 5.0, r - 8.0, 28.0)]),
        5.0,
        solid(0xfffbf2),
    );
    c.line(
        polyline(&[(x, y), around(x, y, r, 66.0)]),
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

/// The edges of the slice of cake.
const LEFT: f32 = 235.0;
const RIGHT: f32 = 575.0;
const TOP: f32 = 200.0;
const BOTTOM: f32 = 470.0;

/// A slice from the side, standing on a plate: layers, icing, berries.
fn slice_of_cake(c: &mut Canvas, colours: [u32; 3]) {
    stand(c);
    layers(c, colours);
    let [icing, _, topping] = colours;
    drips(c, icing);
    for k in 0..5 {
        berry(
            c,
            (LEFT + 48.0 + k as f32 * 62.0, TOP - 42.0),
            32.0,
            if k % 2 == 0 { topping } else { 0xd82a44 },
        );
    }
    garnish(c, (LEFT + 130.0, TOP - 66.0), -50.0, 54.0, 0x5aa55e);
    garnish(c, (LEFT + 132.0, TOP - 66.0), -120.0, 44.0, 0x4f964e);
}

fn stand(c: &mut Canvas) {
    c.at((400.0, 470.0), 0.0, 1.0, |c| {
        c.oval(8.0, 30.0, 320.0, 62.0, sheer(SHADOW, 0.35));
        c.oval(
            0.0,
            0.0,
            310.0,
            66.0,
            down(-66.0, 66.0, &[0xffffff, 0xd9d2c8]),
        );
        c.oval(
            0.0,
            -4.0,
            240.0,
            44.0,
            down(-50.0, 40.0, &[0xe6e0d6, 0xfaf6f0]),
        );
    });
}

fn layers(c: &mut Canvas, [icing, sponge, topping]: [u32; 3]) {
    c.glow(420.0, 478.0, 240.0, SHADOW, 0.3);
    c.round(
        (LEFT, TOP, RIGHT - LEFT, BOTTOM - TOP),
        16.0,
        linear(
            (LEFT, 0.0),
            (RIGHT, 0.0),
            &[lighter(sponge, 0.2), sponge, darker(sponge, 0.2)],
        ),
    );
    for n in 0..3 {
        let y = TOP + 66.0 + n as f32 * 66.0;
        c.rect(
            (LEFT, y, RIGHT - LEFT, 22.0),
            linear((LEFT, 0.0), (RIGHT, 0.0), &[0xfffdf6, icing]),
        );
        for k in 0..6 {
            c.circle(
                LEFT + 36.0 + k as f32 * 54.0,
                y + 11.0,
                10.0,
                sheer(topping, 0.9),
            );
        }
    }
    for _ in 0..70 {
        let (px, py) = (
            c.random.range(LEFT + 8.0, RIGHT - 8.0),
            c.random.range(TOP + 30.0, BOTTOM - 8.0),
        );
        c.circle(px, py, 2.4, sheer(darker(sponge, 0.4), 0.25));
    }
}

fn drips(c: &mut Canvas, icing: u32) {
    c.round(
        (LEFT - 12.0, TOP - 22.0, RIGHT - LEFT + 24.0, 52.0),
        24.0,
        down(TOP - 22.0, TOP + 30.0, &[lighter(icing, 0.5), icing]),
    );
    for (k, drop) in [22.0, 44.0, 14.0, 52.0, 26.0, 38.0].into_iter().enumerate() {
        let x = LEFT + 6.0 + k as f32 * 60.0;
        c.round(
            (x, TOP, 30.0, 30.0 + drop),
            15.0,
            down(TOP, TOP + 70.0, &[icing, darker(icing, 0.06)]),
        );
    }
}
