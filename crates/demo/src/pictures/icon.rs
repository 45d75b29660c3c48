//! Icons of the shop types: a white sign on a coloured disc, the rest transparent.

use super::canvas::Canvas;
use super::ink::{Ink, linear, sheer, solid};
use super::shapes::{arc, bow, leaf, oval, polygon, polyline};

/// Side of an icon in pixels.
pub(super) const SIZE: u32 = 128;

const WHITE: u32 = 0xffffff;

/// The icon of the type with this id.
pub(super) fn icon(c: &mut Canvas, type_id: i64) {
    let (from, to) = match type_id {
        1 => (0xffa03c, 0xf25a24),
        2 => (0xb86af0, 0x7a3ad8),
        3 => (0xff8ab0, 0xe84a86),
        4 => (0x4ac88a, 0x1f9868),
        5 => (0xe0a862, 0xb87234),
        6 => (0xf69ac8, 0xc85ab0),
        7 => (0x5ac8f0, 0x2a90d8),
        8 => (0x6a7af0, 0x3a42b8),
        9 => (0xffb83c, 0xf27a2c),
        _ => (0xff7a8a, 0xd83a5a),
    };
    c.circle(
        64.0,
        64.0,
        62.0,
        linear((20.0, 10.0), (108.0, 120.0), &[from, to]),
    );
    match type_id {
        1 => food(c),
        2 => microphone(c),
        3 => scissors(c),
        4 => dumbbell(c),
        5 => foot(c),
        6 => lotus(c),
        7 => horse(c),
        8 => cocktail(c),
        9 => popper(c),
        _ => varnish(c, to),
    }
}

fn white() -> Ink {
    solid(WHITE)
}

fn food(c: &mut Canvas) {
    c.fill(
        polygon(&[
            (28.0, 66.0),
            (100.0, 66.0),
            (92.0, 88.0),
            (78.0, 98.0),
            (50.0, 98.0),
            (36.0, 88.0),
        ]),
        white(),
    );
    c.round((48.0, 96.0, 32.0, 8.0), 4.0, white());
    for x in [48.0, 64.0, 80.0] {
        c.line(bow((x, 58.0), (x - 10.0, 46.0), (x, 36.0)), 5.0, white());
        c.line(bow((x, 37.0), (x + 6.0, 30.0), (x, 24.0)), 5.0, white());
    }
}

fn microphone(c: &mut Canvas) {
    c.at((64.0, 64.0), 35.0, 1.0, |c| {
        c.circle(0.0, -24.0, 18.0, white());
        c.fill(
            polygon(&[(-13.0, -8.0), (13.0, -8.0), (7.0, 46.0), (-7.0, 46.0)]),
            white(),
        );
    });
    c.circle(92.0, 84.0, 8.0, white());
    c.line(polyline(&[(99.0, 84.0), (99.0, 58.0)]), 4.5, white());
}

fn scissors(c: &mut Canvas) {
    c.line(polyline(&[(42.0, 30.0), (80.0, 84.0)]), 8.0, white());
    c.line(polyline(&[(86.0, 30.0), (48.0, 84.0)]), 8.0, white());
    c.ring(42.0, 92.0, 11.0, 7.0, white());
    c.ring(86.0, 92.0, 11.0, 7.0, white());
}

fn dumbbell(c: &mut Canvas) {
    c.at((64.0, 64.0), -35.0, 1.0, |c| {
        c.round((-24.0, -5.0, 48.0, 10.0), 4.0, white());
        for side in [-1.0, 1.0] {
            c.round((side * 28.0 - 7.0, -25.0, 14.0, 50.0), 6.0, white());
            c.round((side * 43.0 - 5.5, -16.0, 11.0, 32.0), 5.0, white());
        }
    });
}

fn foot(c: &mut Canvas) {
    c.oval(62.0, 56.0, 21.0, 19.0, white());
    c.oval(67.0, 84.0, 15.0, 20.0, white());
    c.round((53.0, 56.0, 28.0, 34.0), 12.0, white());
    for (x, y, r) in [
        (42.0, 34.0, 8.5),
        (57.0, 27.0, 6.8),
        (70.0, 28.0, 6.0),
        (81.0, 33.0, 5.4),
        (89.0, 42.0, 4.8),
    ] {
        c.circle(x, y, r, white());
    }
}

fn lotus(c: &mut Canvas) {
    for (degrees, length) in [
        (-170.0, 42.0),
        (-10.0, 42.0),
        (-140.0, 48.0),
        (-40.0, 48.0),
        (-90.0, 56.0),
    ] {
        c.at((64.0, 88.0), degrees, 1.0, |c| {
            c.fill(leaf(length, 21.0), white());
            c.line(leaf(length, 21.0), 2.5, sheer(0xc85ab0, 0.6));
        });
    }
    c.line(bow((34.0, 98.0), (64.0, 106.0), (94.0, 98.0)), 5.0, white());
}

fn horse(c: &mut Canvas) {
    c.line(arc(64.0, 52.0, 46.0, 40.0, 140.0), 7.0, white());
    c.fill(
        polygon(&[
            (44.0, 62.0),
            (84.0, 62.0),
            (90.0, 90.0),
            (78.0, 94.0),
            (74.0, 78.0),
            (54.0, 78.0),
            (50.0, 94.0),
            (38.0, 90.0),
        ]),
        white(),
    );
    c.fill(
        polygon(&[
            (74.0, 66.0),
            (78.0, 36.0),
            (86.0, 28.0),
            (100.0, 46.0),
            (94.0, 52.0),
            (86.0, 50.0),
            (88.0, 68.0),
        ]),
        white(),
    );
    c.line(bow((44.0, 64.0), (30.0, 66.0), (30.0, 80.0)), 6.0, white());
    c.circle(86.0, 41.0, 2.6, solid(0x2a90d8));
}

fn cocktail(c: &mut Canvas) {
    c.fill(
        polygon(&[(30.0, 36.0), (98.0, 36.0), (64.0, 74.0)]),
        white(),
    );
    c.rect((61.0, 70.0, 6.0, 28.0), white());
    c.round((45.0, 95.0, 38.0, 7.0), 3.5, white());
    c.fill(
        polygon(&[(45.0, 44.0), (83.0, 44.0), (64.0, 65.0)]),
        sheer(0x3a42b8, 0.55),
    );
    c.circle(92.0, 32.0, 9.0, white());
}

fn popper(c: &mut Canvas) {
    c.fill(
        polygon(&[(30.0, 100.0), (46.0, 52.0), (78.0, 84.0)]),
        white(),
    );
    c.line(bow((62.0, 58.0), (60.0, 36.0), (76.0, 28.0)), 5.5, white());
    c.line(bow((72.0, 68.0), (92.0, 70.0), (100.0, 56.0)), 5.5, white());
    c.line(polyline(&[(68.0, 62.0), (88.0, 42.0)]), 5.5, white());
    for (x, y, r) in [
        (46.0, 34.0, 5.0),
        (96.0, 30.0, 6.0),
        (100.0, 86.0, 5.0),
        (84.0, 96.0, 4.0),
    ] {
        c.circle(x, y, r, white());
    }
}

fn varnish(c: &mut Canvas, hex: u32) {
    c.round((55.0, 22.0, 18.0, 40.0), 6.0, white());
    c.round((40.0, 60.0, 48.0, 44.0), 12.0, white());
    c.fill(oval(64.0, 84.0, 12.0, 13.0), sheer(hex, 0.9));
    c.line(
        bow((92.0, 34.0), (104.0, 30.0), (108.0, 42.0)),
        4.5,
        white(),
    );
    c.line(bow((22.0, 48.0), (26.0, 34.0), (38.0, 36.0)), 4.5, white());
}
