//! Faces for people: friendly animals and persons, on plain coloured grounds.

use super::canvas::Canvas;
use super::ink::{darker, lighter, radial, sheer, solid};
use super::shapes::{arc, bow, oval, polygon};

/// Side of an avatar in pixels.
pub(super) const SIZE: u32 = 256;

/// Each face comes on each of these grounds.
const GROUNDS: [u32; 6] = [0xf9c8a8, 0xa8d8d0, 0xf6de8a, 0xc8c0f0, 0xf6b8c4, 0xb8d8f6];

const FACES: u32 = 8;

pub(super) fn avatar(c: &mut Canvas, number: u32) {
    // Five shares no factor with six or eight: neighbours differ in face and in ground.
    let ground = GROUNDS[(number * 5 + number / FACES) as usize % GROUNDS.len()];
    let turn = number / FACES;
    c.background(radial(
        90.0,
        70.0,
        250.0,
        &[(0.0, lighter(ground, 0.35), 1.0), (1.0, ground, 1.0)],
    ));
    c.circle(216.0, 40.0, 58.0, sheer(0xffffff, 0.18));
    c.circle(30.0, 224.0, 72.0, sheer(darker(ground, 0.2), 0.14));
    match number % FACES {
        0 => cat(c, turn),
        1 => bear(c, turn),
        2 => rabbit(c, turn),
        3 => panda(c),
        4 => fox(c, turn),
        5 => chick(c, turn),
        6 => girl(c, turn),
        _ => boy(c, turn),
    }
}

fn head(c: &mut Canvas, hex: u32, (rx, ry): (f32, f32)) {
    c.glow(132.0, 165.0, 120.0, 0x4a2a1a, 0.22);
    c.oval(
        128.0,
        146.0,
        rx,
        ry,
        radial(
            105.0,
            112.0,
            130.0,
            &[
                (0.0, lighter(hex, 0.3), 1.0),
                (0.6, hex, 1.0),
                (1.0, darker(hex, 0.15), 1.0),
            ],
        ),
    );
}

fn eyes(c: &mut Canvas, y: f32, spread: f32, r: f32) {
    for x in [128.0 - spread, 128.0 + spread] {
        c.circle(x, y, r, solid(0x2a1e1c));
        c.circle(x - r * 0.3, y - r * 0.35, r * 0.35, solid(0xffffff));
    }
}

fn cheeks(c: &mut Canvas, y: f32, spread: f32) {
    for x in [128.0 - spread, 128.0 + spread] {
        c.oval(x, y, 13.0, 8.0, sheer(0xff7a6a, 0.45));
    }
}

fn smile(c: &mut Canvas, y: f32) {
    c.line(arc(117.0, y, 11.0, 15.0, 170.0), 4.0, solid(0x4a2e28));
    c.line(arc(139.0, y, 11.0, 10.0, 165.0), 4.0, solid(0x4a2e28));
}

fn cat(c: &mut Canvas, turn: u32) {
    let hex = [0xf2a04a, 0x8a8c94, 0xfbeedc, 0x4a444a, 0xd9b084, 0xf6c87a][turn as usize % 6];
    for side in [-1.0, 1.0] {
        let ear = |grow: f32| {
            polygon(&[
                (128.0 + side * (92.0 - grow), 52.0 + grow * 1.6),
                (128.0 + side * (24.0 + grow), 82.0),
                (128.0 + side * (90.0 - grow), 132.0 - grow),
            ])
        };
        c.fill(ear(0.0), solid(darker(hex, 0.06)));
        c.fill(ear(13.0), solid(0xf9b4b0));
    }
    head(c, hex, (92.0, 78.0));
    for x in [112.0, 128.0, 144.0] {
        c.line(
            bow((x, 74.0), (x, 86.0), (x, 98.0)),
            7.0,
            sheer(darker(hex, 0.4), 0.55),
        );
    }
    c.oval(128.0, 172.0, 40.0, 28.0, sheer(0xffffff, 0.75));
    eyes(c, 142.0, 38.0, 12.0);
    cheeks(c, 168.0, 62.0);
    c.oval(128.0, 161.0, 8.0, 6.0, solid(0xe86a6a));
    smile(c, 168.0);
    for side in [-1.0, 1.0] {
        for k in 0..2 {
            let y = 164.0 + k as f32 * 12.0;
            c.line(
                bow(
                    (128.0 + side * 50.0, y),
                    (128.0 + side * 76.0, y - 4.0),
                    (128.0 + side * 104.0, y + k as f32 * 8.0 - 6.0),
                ),
                2.4,
                sheer(0x5a4440, 0.6),
            );
        }
    }
}

fn bear(c: &mut Canvas, turn: u32) {
    let hex = [0xa86e44, 0xd9a874, 0x7a523c, 0xf6ead8, 0xc28a5a, 0x8a6a5a][turn as usize % 6];
    for side in [-1.0, 1.0] {
        c.circle(128.0 + side * 66.0, 82.0, 33.0, solid(darker(hex, 0.06)));
        c.circle(128.0 + side * 66.0, 84.0, 19.0, solid(lighter(hex, 0.4)));
    }
    head(c, hex, (90.0, 82.0));
    c.oval(128.0, 172.0, 42.0, 32.0, solid(lighter(hex, 0.55)));
    eyes(c, 136.0, 36.0, 10.0);
    cheeks(c, 162.0, 62.0);
    c.oval(128.0, 157.0, 14.0, 10.0, solid(0x3a2620));
    c.oval(124.0, 153.0, 4.0, 2.5, sheer(0xffffff, 0.7));
    smile(c, 172.0);
}

fn rabbit(c: &mut Canvas, turn: u32) {
    let hex = [0xfffbf6, 0xe8d8cc, 0xf9dcdc, 0xd2d2dc, 0xf6e6c8, 0xb8a8a0][turn as usize % 6];
    for (side, tilt) in [(-1.0, -9.0), (1.0, 14.0)] {
        c.at((128.0 + side * 36.0, 74.0), tilt, 1.0, |c| {
            c.fill(oval(0.0, -12.0, 22.0, 58.0), solid(darker(hex, 0.04)));
            c.fill(oval(0.0, -8.0, 11.0, 42.0), solid(0xf9b8bc));
        });
    }
    head(c, hex, (84.0, 76.0));
    eyes(c, 144.0, 34.0, 11.0);
    cheeks(c, 168.0, 54.0);
    c.oval(128.0, 163.0, 8.0, 6.0, solid(0xf07a86));
    smile(c, 170.0);
    c.round((120.0, 181.0, 8.0, 13.0), 3.0, solid(0xffffff));
    c.round((129.0, 181.0, 8.0, 13.0), 3.0, solid(0xffffff));
}

fn panda(c: &mut Canvas) {
    for side in [-1.0, 1.0] {
        c.circle(128.0 + side * 68.0, 82.0, 31.0, solid(0x2c282c));
    }
    head(c, 0xfffdf8, (92.0, 82.0));
    for (side, tilt) in [(-1.0, 28.0), (1.0, -28.0)] {
        c.at((128.0 + side * 38.0, 140.0), tilt, 1.0, |c| {
            c.oval(0.0, 0.0, 22.0, 29.0, solid(0x2c282c));
        });
        c.circle(128.0 + side * 35.0, 138.0, 10.0, solid(0xffffff));
        c.circle(128.0 + side * 34.0, 139.0, 6.5, solid(0x1c1616));
    }
    cheeks(c, 176.0, 60.0);
    c.oval(128.0, 165.0, 12.0, 8.0, solid(0x2c2424));
    smile(c, 174.0);
}

fn fox(c: &mut Canvas, turn: u32) {
    let hex = [0xe87a32, 0xd95a2c, 0xf2a05a, 0x9aa0a8, 0xe88a4a, 0xc86a3a][turn as usize % 6];
    for side in [-1.0, 1.0] {
        c.fill(
            polygon(&[
                (128.0 + side * 96.0, 40.0),
                (128.0 + side * 22.0, 84.0),
                (128.0 + side * 86.0, 132.0),
            ]),
            solid(hex),
        );
        c.fill(
            polygon(&[
                (128.0 + side * 86.0, 60.0),
                (128.0 + side * 42.0, 88.0),
                (128.0 + side * 80.0, 114.0),
            ]),
            solid(0x4a2c24),
        );
    }
    head(c, hex, (94.0, 74.0));
    for side in [-1.0, 1.0] {
        c.fill(
            polygon(&[
                (128.0, 218.0),
                (128.0 + side * 92.0, 152.0),
                (128.0 + side * 24.0, 150.0),
                (128.0, 168.0),
            ]),
            solid(0xfff8ee),
        );
    }
    eyes(c, 140.0, 40.0, 11.0);
    cheeks(c, 166.0, 62.0);
    c.oval(128.0, 196.0, 13.0, 10.0, solid(0x2c1e1c));
    c.oval(124.0, 192.0, 4.0, 2.5, sheer(0xffffff, 0.7));
}

fn chick(c: &mut Canvas, turn: u32) {
    let hex = [0xffd84a, 0xffe88a, 0xf9b83a, 0x8ac8e8, 0xffc88a, 0xc8e08a][turn as usize % 6];
    for k in [-1.0, 0.0, 1.0] {
        c.line(
            bow(
                (128.0, 76.0),
                (128.0 + k * 10.0, 56.0),
                (128.0 + k * 26.0, 46.0),
            ),
            9.0,
            solid(darker(hex, 0.06)),
        );
    }
    head(c, hex, (90.0, 84.0));
    eyes(c, 136.0, 36.0, 11.0);
    cheeks(c, 162.0, 58.0);
    c.fill(
        polygon(&[(104.0, 158.0), (152.0, 158.0), (128.0, 186.0)]),
        solid(0xf28a2a),
    );
    c.fill(
        polygon(&[(104.0, 158.0), (152.0, 158.0), (128.0, 148.0)]),
        solid(0xffa84a),
    );
    for side in [-1.0, 1.0] {
        c.at((128.0 + side * 88.0, 190.0), side * 30.0, 1.0, |c| {
            c.oval(0.0, 0.0, 18.0, 32.0, solid(darker(hex, 0.12)));
        });
    }
}

const SKINS: [u32; 3] = [0xf9d2b4, 0xf0be98, 0xfddec6];
const HAIRS: [u32; 6] = [0x2c2224, 0x5a3628, 0x8a5234, 0x3a2c3a, 0x1f1c22, 0xb0744a];
const CLOTHES: [u32; 6] = [0x4a8ac8, 0xe86a6a, 0x5aa87a, 0xf2b84a, 0x8a6ac8, 0x3a4a5a];

fn shoulders(c: &mut Canvas, turn: u32, skin: u32) {
    c.oval(128.0, 264.0, 98.0, 64.0, solid(CLOTHES[turn as usize % 6]));
    c.round((108.0, 180.0, 40.0, 46.0), 18.0, solid(darker(skin, 0.1)));
    c.fill(
        polygon(&[(104.0, 206.0), (152.0, 206.0), (128.0, 232.0)]),
        solid(darker(skin, 0.06)),
    );
}

fn girl(c: &mut Canvas, turn: u32) {
    let (skin, hair) = (SKINS[turn as usize % 3], HAIRS[turn as usize % 6]);
    let length = if turn.is_multiple_of(2) { 150.0 } else { 108.0 };
    c.round((54.0, 52.0, 148.0, 44.0 + length), 70.0, solid(hair));
    shoulders(c, turn, skin);
    c.oval(
        128.0,
        138.0,
        58.0,
        62.0,
        radial(
            110.0,
            115.0,
            90.0,
            &[(0.0, lighter(skin, 0.3), 1.0), (1.0, skin, 1.0)],
        ),
    );
    c.fill(bow((66.0, 128.0), (86.0, 62.0), (158.0, 74.0)), solid(hair));
    c.fill(
        polygon(&[
            (68.0, 132.0),
            (74.0, 84.0),
            (128.0, 64.0),
            (186.0, 86.0),
            (188.0, 132.0),
            (168.0, 96.0),
            (120.0, 92.0),
            (88.0, 104.0),
        ]),
        solid(hair),
    );
    c.line(
        arc(128.0, 120.0, 62.0, 215.0, 265.0),
        7.0,
        sheer(0xffffff, 0.22),
    );
    eyes(c, 146.0, 24.0, 8.0);
    cheeks(c, 164.0, 38.0);
    c.line(arc(128.0, 164.0, 13.0, 20.0, 160.0), 4.5, solid(0xc84a4a));
    if turn % 3 == 1 {
        for k in [180.0, 198.0] {
            c.circle(k, 84.0, 9.0, solid(0xf25a7a));
        }
        c.circle(189.0, 84.0, 6.0, solid(0xffd85a));
    }
}

fn boy(c: &mut Canvas, turn: u32) {
    let (skin, hair) = (
        SKINS[(turn as usize + 1) % 3],
        HAIRS[(turn as usize + 2) % 6],
    );
    shoulders(c, turn + 2, skin);
    for x in [68.0, 188.0] {
        c.oval(x, 142.0, 12.0, 16.0, solid(darker(skin, 0.08)));
    }
    c.oval(
        128.0,
        136.0,
        60.0,
        64.0,
        radial(
            110.0,
            112.0,
            90.0,
            &[(0.0, lighter(skin, 0.3), 1.0), (1.0, skin, 1.0)],
        ),
    );
    c.fill(
        polygon(&[
            (64.0, 126.0),
            (66.0, 82.0),
            (98.0, 52.0),
            (150.0, 46.0),
            (188.0, 72.0),
            (192.0, 126.0),
            (180.0, 104.0),
            (150.0, 90.0),
            (104.0, 100.0),
            (78.0, 104.0),
        ]),
        solid(hair),
    );
    c.line(
        bow((90.0, 78.0), (120.0, 58.0), (156.0, 64.0)),
        7.0,
        sheer(0xffffff, 0.2),
    );
    eyes(c, 144.0, 25.0, 8.0);
    cheeks(c, 164.0, 40.0);
    if turn.is_multiple_of(2) {
        for x in [103.0, 153.0] {
            c.ring(x, 144.0, 19.0, 4.0, solid(0x2c262a));
        }
        c.line(
            bow((122.0, 142.0), (128.0, 138.0), (134.0, 142.0)),
            4.0,
            solid(0x2c262a),
        );
    }
    c.line(arc(128.0, 164.0, 15.0, 20.0, 160.0), 4.5, solid(0xb84a42));
}
