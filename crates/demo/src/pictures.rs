//! The pictures of the demo data: a fixed pool, drawn by code.
//!
//! Invariant: every address that people, shops, notes and types carry is in [`all`].

mod avatar;
mod canvas;
mod dishes;
mod icon;
mod ink;
mod interior;
mod lettering;
mod rooms;
mod shapes;
mod street;
mod table;

use crate::random::{Random, Stream};
use canvas::Canvas;

/// How many avatars there are.
pub(crate) const AVATARS: u32 = 48;

/// A picture: where it goes, and how to make it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// Relative to the folder of all pictures, which is served as `/imgs`.
    pub file: String,
    subject: PictureSubject,
}

/// A file of a picture, encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PictureFile {
    /// As [`Picture::file`].
    pub file: String,
    pub bytes: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PictureSubject {
    Scene(Scene, u32),
    Avatar(u32),
    TypeIcon(i64),
}

impl Picture {
    /// The file of the small size, half as wide and high; only scenes are large enough to have one. Named as small uploads
    /// are: it is served for `?size=small`.
    pub fn small_file(&self) -> Option<String> {
        let is_scene = matches!(self.subject, PictureSubject::Scene(..));
        let stem = self.file.strip_suffix(".jpg").filter(|_| is_scene)?;
        Some(format!("{stem}_s.jpg"))
    }

    /// The files in all their sizes, the full one first: JPEG, or PNG for type icons.
    pub fn render(&self) -> Vec<PictureFile> {
        let (width, height) = match self.subject {
            PictureSubject::Scene(..) => SCENE_SIZE,
            PictureSubject::Avatar(_) => (avatar::SIZE, avatar::SIZE),
            PictureSubject::TypeIcon(_) => (icon::SIZE, icon::SIZE),
        };
        let mut canvas = Canvas::new(width, height, self.random());
        let full = match self.subject {
            PictureSubject::Scene(scene, variant) => {
                scene.draw(&mut canvas, variant);
                canvas.jpeg()
            }
            PictureSubject::Avatar(number) => {
                avatar::avatar(&mut canvas, number);
                canvas.jpeg()
            }
            PictureSubject::TypeIcon(id) => {
                icon::icon(&mut canvas, id);
                canvas.png()
            }
        };
        let full = PictureFile {
            file: self.file.clone(),
            bytes: full,
        };
        let small = self.small_file().map(|file| PictureFile {
            file,
            bytes: canvas.halved().jpeg(),
        });
        std::iter::once(full).chain(small).collect()
    }

    /// Numbers that belong to this picture alone, whatever the order of rendering.
    fn random(&self) -> Random {
        let index = self.file.bytes().fold(0, |sum: u64, byte| {
            sum.wrapping_mul(257).wrapping_add(u64::from(byte))
        });
        Random::new(Stream::Picture, index)
    }
}

/// Width and height of a scene in pixels.
const SCENE_SIZE: (u32, u32) = (800, 600);

/// What a picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scene {
    Noodles,
    HotPot,
    HomeCooking,
    DimSum,
    Sushi,
    Coffee,
    Cakes,
    Skewers,
    Salad,
    Ktv,
    Hair,
    Gym,
    Massage,
    Spa,
    Kids,
    Bar,
    Party,
    Nails,
    Storefront,
}

/// Each scene with its file name and the number of its variants.
const SCENES: [(Scene, &str, u32); 19] = [
    (Scene::Noodles, "noodles", 6),
    (Scene::HotPot, "hotpot", 5),
    (Scene::HomeCooking, "home", 6),
    (Scene::DimSum, "dimsum", 5),
    (Scene::Sushi, "sushi", 5),
    (Scene::Coffee, "coffee", 6),
    (Scene::Cakes, "cake", 6),
    (Scene::Skewers, "skewers", 5),
    (Scene::Salad, "salad", 5),
    (Scene::Ktv, "ktv", 4),
    (Scene::Hair, "hair", 4),
    (Scene::Gym, "gym", 4),
    (Scene::Massage, "massage", 4),
    (Scene::Spa, "spa", 4),
    (Scene::Kids, "kids", 4),
    (Scene::Bar, "bar", 4),
    (Scene::Party, "party", 4),
    (Scene::Nails, "nails", 4),
    (Scene::Storefront, "front", street::FRONTS),
];

impl Scene {
    /// Addresses of up to `count` different pictures of this scene.
    pub(crate) fn urls(self, count: u32, random: &mut Random) -> Vec<String> {
        let (_, name, variants) = self.entry();
        let drawn = random.distinct(count, variants);
        drawn
            .map(|v| format!("/imgs/{}", scene_file(name, v)))
            .collect()
    }

    /// The address of this scene as one shop has it: two rooms of a shop would be two shops.
    pub(crate) fn room_url(self, look: u32) -> String {
        let (_, name, variants) = self.entry();
        format!("/imgs/{}", scene_file(name, look % variants))
    }

    /// The address of the front behind which this scene is.
    pub(crate) fn front_url(self, look: u32) -> String {
        let (_, name, _) = Self::Storefront.entry();
        let of_kind = look % street::FRONTS_OF_A_KIND;
        let variant = self as u32 * street::FRONTS_OF_A_KIND + of_kind;
        format!("/imgs/{}", scene_file(name, variant))
    }

    fn draw(self, c: &mut Canvas, variant: u32) {
        match self {
            Self::Noodles => dishes::noodles(c, variant),
            Self::HotPot => dishes::hot_pot(c, variant),
            Self::HomeCooking => dishes::home_cooking(c, variant),
            Self::DimSum => dishes::dim_sum(c, variant),
            Self::Sushi => dishes::sushi(c, variant),
            Self::Coffee => dishes::coffee(c, variant),
            Self::Cakes => dishes::cake(c, variant),
            Self::Skewers => dishes::skewers(c, variant),
            Self::Salad => dishes::salad(c, variant),
            Self::Ktv => rooms::ktv(c, variant),
            Self::Hair => rooms::hair(c, variant),
            Self::Gym => rooms::gym(c, variant),
            Self::Massage => rooms::massage(c, variant),
            Self::Spa => rooms::spa(c, variant),
            Self::Kids => rooms::kids(c, variant),
            Self::Bar => rooms::bar(c, variant),
            Self::Party => rooms::party(c, variant),
            Self::Nails => rooms::nails(c, variant),
            Self::Storefront => street::storefront(c, variant),
        }
    }

    fn entry(self) -> (Scene, &'static str, u32) {
        SCENES[self as usize]
    }
}

pub(crate) fn avatar_url(number: u32) -> String {
    format!("/imgs/{}", avatar_file(number))
}

pub(crate) fn all() -> impl Iterator<Item = Picture> {
    let scenes = SCENES.into_iter().flat_map(|(scene, name, variants)| {
        (0..variants).map(move |v| (scene_file(name, v), PictureSubject::Scene(scene, v)))
    });
    let avatars = (0..AVATARS).map(|n| (avatar_file(n), PictureSubject::Avatar(n)));
    let icons = crate::types::shop_types().map(|t| {
        (
            t.icon.trim_start_matches('/').to_owned(),
            PictureSubject::TypeIcon(t.id),
        )
    });
    scenes
        .chain(avatars)
        .chain(icons)
        .map(|(file, subject)| Picture { file, subject })
}

fn scene_file(name: &str, variant: u32) -> String {
    format!("demo/{name}-{:02}.jpg", variant + 1)
}

fn avatar_file(number: u32) -> String {
    format!("demo/avatar-{:02}.jpg", number + 1)
}
