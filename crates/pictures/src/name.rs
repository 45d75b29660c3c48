//! Names of pictures, such as `/blogs/3/9/<uuid>.jpg`: generated here, never chosen by the client.
//!
//! Invariant: a [`PictureName`] has exactly this form, so a path built with it cannot leave the folder.

use std::fmt;

use object_store::path::Path;
use uuid::Uuid;

/// The URL prefix of pictures. Clients send names with and without it.
const ADDRESS: &str = "/imgs";

/// The folder of all uploads, as in the original.
const FOLDER: &str = "blogs";

/// Folders per level: with tens of millions of pictures a folder still has few enough files for any tool.
const FOLDERS: u8 = 16;

const EXTENSION: &str = "jpg";

/// The suffix of the small size, before the extension.
const SMALL_SUFFIX: &str = "_s";

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PictureName {
    folders: [u8; 2],
    id: Uuid,
}

/// The two sizes in which a picture is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// For viewing.
    Full,
    /// For lists.
    Small,
}

impl PictureName {
    /// A new name that cannot be guessed.
    pub fn generate() -> Self {
        let id = Uuid::new_v4();
        let [first, second, ..] = *id.as_bytes();
        Self {
            folders: [first % FOLDERS, second % FOLDERS],
            id,
        }
    }

    /// Parses a name as returned by an upload, with or without the `/imgs` of pages.
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
        // Rejects other spellings of the same name, such as an id in capitals.
        (parsed.to_string() == name).then_some(parsed)
    }

    /// The path of the file of this size.
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
    fn both_sizes_are_in_the_same_folder() {
        let name = PictureName::parse(&format!("/blogs/3/9/{ID}.jpg")).unwrap();
        let path = |size| name.path(size).to_string();
        assert_eq!(path(Size::Full), format!("blogs/3/9/{ID}.jpg"));
        assert_eq!(path(Size::Small), format!("blogs/3/9/{ID}_s.jpg"));
    }

    #[test]
    fn other_forms_are_rejected() {
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
