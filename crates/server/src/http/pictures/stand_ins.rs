//! Pictures of our own in the place of those that pages of the original and its seed data name, where neither the proxy nor
//! the folder has them: without, those pages show broken ones.
//!
//! They are drawn anew and only alike in purpose. `assets/stand-ins` has the drawings they were made from.

use axum::http::HeaderValue;
use axum::http::header::{CONTENT_TYPE, ETAG};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

use super::{guard, plain_path, unchanged};
use crate::http::revalidation::is_known;
use axum::http::request::Parts;

#[derive(RustEmbed)]
#[folder = "$CARGO_MANIFEST_DIR/assets/stand-ins"]
struct StandIns;

/// The real picture may be put into the folder at any time.
const FOR_A_MINUTE: HeaderValue = HeaderValue::from_static("public, max-age=60");

/// What the notes of the original's seed data show.
const SEED_NOTES: [&str; 12] = [
    "1/2/4a7b496b-2a08-4af7-aa95-df2c3bd0ef97",
    "10/7/7e97f47d-eb49-4dc9-a583-95faa7aed287",
    "11/12/8b37d208-9414-4e78-b065-9199647bb3e3",
    "14/3/52b290eb-8b5d-403b-8373-ba0bb856d18e",
    "15/9/cea51d9b-ac15-49f6-b9f1-9cf81e9b9c85",
    "2/6/b0756279-65da-4f2d-b62a-33f74b06454a",
    "4/0/26a7cd7e-6320-432c-a0b4-1b7418f45ec7",
    "4/1/fa74a6d6-3026-4cb7-b0b6-35abb1e52d11",
    "4/10/2f07e3c9-ddce-482d-9ea7-c21450f8d7cd",
    "4/7/863cc302-d150-420d-a596-b16e9232a1a6",
    "7/14/4771fefb-1a87-4252-816c-9f7ec41ffa4a",
    "9/12/ac2ce2fb-0605-4f14-82cc-c962b8c86688",
];

/// The picture that stands in for the one at this address, if one does.
pub(super) fn find(parts: &Parts) -> Option<Response> {
    let name = stand_in_for(&plain_path(parts.uri.path())?)?;
    let tag = format!("\"stand-in-{name}\"");
    if is_known(&parts.headers, &tag) {
        return Some(unchanged(&tag, FOR_A_MINUTE));
    }
    let file = StandIns::get(&name)?;
    let png = HeaderValue::from_static("image/png");
    let mut response = ([(CONTENT_TYPE, png)], file.data).into_response();
    if let Ok(tag) = HeaderValue::from_str(&tag) {
        response.headers_mut().insert(ETAG, tag);
    }
    guard(&mut response, FOR_A_MINUTE);
    Some(response)
}

fn stand_in_for(path: &str) -> Option<String> {
    let mut parts = path.trim_start_matches('/').splitn(2, '/');
    let stand_in = match (parts.next()?, parts.next()) {
        ("add.png", None) => "add.png",
        ("bd.png", None) => "ranking.png",
        ("thumbup.png", None) => "thumb-up.png",
        ("icons", Some(_)) => "avatar.png",
        ("types", Some(name)) => return Some(kind(name)),
        ("blogs", Some(name)) if is_seed_note(name) => "photo.png",
        _ => return None,
    };
    Some(stand_in.to_owned())
}

/// The icon of a kind of shops; a shop for a kind that the original does not have.
fn kind(name: &str) -> String {
    let file = format!("types/{}", name.to_ascii_lowercase());
    match StandIns::get(&file) {
        Some(_) => file,
        None => "kind.png".to_owned(),
    }
}

/// Uploads of people have a folder of their own; what lies beside those folders came with the original.
fn is_seed_note(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    !name.contains('/') || SEED_NOTES.contains(&stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_originals_pages_and_seeds_name_is_there() {
        let kinds = [
            "ms", "KTV", "lrmf", "jsyd", "amzl", "spa", "qzyl", "jiuba", "hpg", "mjmj",
        ];
        let kinds = kinds.map(|kind| format!("/types/{kind}.png"));
        let others = [
            "/add.png",
            "/bd.png",
            "/thumbup.png",
            "/icons/default-icon.png",
            "/icons/kkjtbcr.jpg",
            "/icons/user5-icon.png",
            "/blogs/blog1.jpg",
            "/blogs/7/14/4771fefb-1a87-4252-816c-9f7ec41ffa4a.jpg",
            "/types/leisure.png",
        ];
        for path in kinds.iter().map(String::as_str).chain(others) {
            let file = stand_in_for(path).and_then(|name| StandIns::get(&name));
            assert!(file.is_some(), "{path}");
        }
        assert!(
            kinds
                .iter()
                .all(|path| stand_in_for(path) != Some("kind.png".to_owned()))
        );
    }

    #[test]
    fn nothing_stands_in_for_an_upload_or_an_unknown_file() {
        let upload = "/blogs/3/9/67e55044-10b1-426f-9247-bb680e5fe0c8.jpg";
        for path in [upload, "/", "", "/other.png", "/add.png/x", "/blogs"] {
            assert_eq!(stand_in_for(path), None, "{path}");
        }
    }
}
