//! Names of pictures, such as `/blogs/3/9/<uuid>.jpg`: made here, never by the person who sends one.
//!
//! Invariant: a [`PictureName`] has exactly this shape, so that no path can be built with it that leaves its folder.

use std::fmt;

use object_store::path::Path;
use uuid::Uuid;

/// Where pages find pictures, before the name. Clients send names with it and without.
const ADDRESS: &str = "/imgs";

/// The folder of all that people send, as the original has it.
const FOLDER: &str = "blogs";

/// Folders on either level: a folder then has few enough files for any tool, up to tens of millions of pictures.
const FOLDERS: u8 = 16;

const EXTENSION: &str = "jpg";

/// What the name of the small print has before its extension.
const SMALL_SUFFIX: &str = "_s";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PictureName {
    folders: [u8; 2],
    id: Uuid,
}

/// The two sizes in which a picture is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For looking at it.
    Full,
    /// For lists.
    Small,
}

impl PictureName {
    /// A name that nobody has had and nobody can guess.
    pub fn generate() -> Self {
        let id = Uuid::new_v4();
        let [first, second, ..] = *id.as_bytes();
        Self {
            folders: [first % FOLDERS, second % FOLDERS],
            id,
        }
    }

    /// As an upload answered it, or as pages show it, with `/imgs` before it.
    pub fn parse(text: &str) -> Option<Self> {
        let name = text.strip_prefix(ADDRESS).unwrap_or(text);
        let parts: Vec<&str> = name.split('/').collect();
        let ["", FOLDER, first, second, file] = parts[..] else {
            return None;
        };
        let parsed = Self {
            folders: [folder(first)?, folder(second)?],
            id: id(file)?,
        };
        // What is read back differs from what was given when that was spelled in another way.
        (parsed.to_string() == name).then_some(parsed)
    }

    /// Where the print of this size is kept.
    pub fn path_of(&self, size: Size) -> String {
        self.path(size).to_string()
    }

    pub(crate) fn path(&self, size: Size) -> Path {
        let [first, second] = self.folders.map(|folder| folder.to_string());
        let file = match size {
            Size::Full => format!("{}.{EXTENSION}", self.id),
            Size::Small => format!("{}{SMALL_SUFFIX}.{EXTENSION}", self.id),
        };
        Path::from_iter([FOLDER, &first, &second, &file])
    }
}

fn folder(text: &str) -> Option<u8> {
    text.parse().ok().filter(|folder| *folder < FOLDERS)
}

fn id(file: &str) -> Option<Uuid> {
    let (id, extension) = file.split_once('.')?;
    let id = Uuid::try_parse(id).ok()?;
    (extension == EXTENSION).then_some(id)
}

impl fmt::Display for PictureName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "/{}", self.path(Size::Full))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

    #[test]
    fn a_name_is_read_back_with_and_without_its_address() {
        for _ in 0..100 {
            let name = PictureName::generate();
            assert_eq!(PictureName::parse(&name.to_string()), Some(name.clone()));
            assert_eq!(
                PictureName::parse(&format!("/imgs{name}")),
                Some(name.clone())
            );
        }
    }

    #[test]
    fn both_sizes_lie_beside_each_other() {
        let name = PictureName::parse(&format!("/blogs/3/9/{ID}.jpg")).unwrap();
        let path = |size| name.path(size).to_string();
        assert_eq!(path(Size::Full), format!("blogs/3/9/{ID}.jpg"));
        assert_eq!(path(Size::Small), format!("blogs/3/9/{ID}_s.jpg"));
    }

    #[test]
    fn nothing_else_is_a_name() {
        for text in [
            "",
            "/",
            "/blogs",
            "/imgs",
            "../../etc/passwd",
            "/blogs/../../tandian.db",
            "/imgs/../tandian.db",
            &format!("/blogs/3/9/../9/{ID}.jpg"),
            &format!("/blogs/../9/{ID}.jpg"),
            &format!("/blogs/3/16/{ID}.jpg"),
            &format!("/blogs/03/9/{ID}.jpg"),
            &format!("/blogs/+3/9/{ID}.jpg"),
            &format!("/blogs//9/{ID}.jpg"),
            &format!("//blogs/3/9/{ID}.jpg"),
            &format!("blogs/3/9/{ID}.jpg"),
            &format!("/imgs/imgs/blogs/3/9/{ID}.jpg"),
            &format!("/other/3/9/{ID}.jpg"),
            &format!("/blogs/3/9/{ID}.jpg/"),
            &format!("/blogs/3/9/{ID}.jpg\0"),
            &format!("/blogs/3/9/{ID}.jpg%00"),
            &format!("/blogs/3/9/{ID}_s.jpg"),
            &format!("/blogs/3/9/{ID}.svg"),
            &format!("/blogs/3/9/{ID}"),
            &format!("/blogs/3/9/{}.jpg", ID.to_uppercase()),
            &format!("/blogs/3/9/{}.jpg", ID.replace('-', "")),
            &format!("/blogs/3/9/{{{ID}}}.jpg"),
            &format!("/blogs\\3\\9\\{ID}.jpg"),
            "/blogs/3/9/one.jpg",
        ] {
            assert_eq!(PictureName::parse(text), None, "{text}");
        }
    }
}
