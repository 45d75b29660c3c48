//! A hair salon: mirrors and chairs.

use crate::pictures::canvas::{Canvas, SHADOW};
use crate::pictures::ink::{darker, down, lighter, linear, sheer, solid};
use crate::pictures::interior::{FLOOR, bulb, mirror, pendant, plant, room};

pub(in crate::pictures) fn hair(c: &mut Canvas, v: u32) {
    const LOOKS: [(u32, u32, u32); 4] = [
        (0xf0e2d6, 0xc9a884, 0xb85a4a),
        (0x4a5f66, 0x8a6a50, 0xd9a05a),
        (0xe4eae0, 0xb0987a, 0x3d6a5a),
        (0xf6d8d2, 0xd2b8a0, 0x5a3a4a),
    ];
    let (wall, floor, chair) = LOOKS[v as usize % 4];
    room(c, wall, floor);
    for (n, x) in [90.0, 315.0, 540.0].into_iter().enumerate() {
        let r = if v.is_multiple_of(2) { 85.0 } else { 14.0 };
        mirror(c, (x, 95.0, 170.0, 235.0), r, 0xd9b472);
        if n != 1 || v % 2 == 1 {
            for k in 0..4 {
                bulb(c, x - 22.0, 130.0 + k as f32 * 52.0, 8.0, 0xffd98a);
            }
        }
        c.round(
            (x - 10.0, 345.0, 190.0, 16.0),
            6.0,
            down(345.0, 361.0, &[0xe9c998, 0xa87c4c]),
        );
        for k in 0..5 {
            let hex = [0xd86a5a, 0xf2e2c8, 0x5a8a8a, 0x2f2a2c, 0xe0b04a][(k + n + v as usize) % 5];
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
    plant(c, (755.0, FLOOR + 40.0), 150.0, 0xf2eee6);
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
        linear((x - 46.0, 0.0), (x + 46.0, 0.0), &[0xf2f2f4, 0x8a8c94]),
    );
    c.rect(
        (x - 7.0, y - 46.0, 14.0, 46.0),
        linear((x - 7.0, 0.0), (x + 7.0, 0.0), &[0xf2f2f4, 0x7a7c84]),
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
