//! The operator's file of streets: served in parts to everybody, from the one file that the settings name.

use std::path::Path;

use reqwest::Method;
use serde_json::json;
use testkit::{Client, HttpReply, TestApp};

use crate::process::{Home, only_line};

const ADDRESS: &str = "/tiles/map.pmtiles";

const HEADER_BYTES: usize = 127;

/// A header of version 3 without directories, followed by `tiles`.
fn archive(tiles: &str) -> Vec<u8> {
    let mut bytes = vec![0; HEADER_BYTES];
    bytes[..8].copy_from_slice(b"PMTiles\x03");
    for (at, number) in [(8, 127), (24, 127), (40, 127), (56, 127), (64, tiles.len())] {
        bytes[at..at + 8].copy_from_slice(&u64::try_from(number).unwrap().to_le_bytes());
    }
    bytes[97..100].copy_from_slice(&[1, 1, 1]);
    for (at, e7) in [
        (102, 1_199_000_000),
        (106, 300_000_000),
        (110, 1_204_000_000),
        (114, 304_000_000_i32),
    ] {
        bytes[at..at + 4].copy_from_slice(&e7.to_le_bytes());
    }
    bytes.extend_from_slice(tiles.as_bytes());
    bytes
}

/// A site with a file of these tiles, in a folder that the test keeps.
async fn site_with(tiles: &str, folder: &Path) -> TestApp {
    let file = folder.join("city.pmtiles");
    std::fs::write(&file, archive(tiles)).unwrap();
    let named = TestApp::builder().setting("map.tiles_file", file.display());
    named.without_workers().spawn().await
}

async fn part(visitor: &Client, range: &str) -> HttpReply {
    let visitor = visitor.clone().with_header("range", range);
    visitor.get(ADDRESS).await
}

#[tokio::test]
async fn a_part_of_the_file_is_sent_by_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let app = site_with("0123456789", folder.path()).await;
    let visitor = app.visitor();
    for (range, status, text, place) in [
        ("bytes=127-129", 206, "012", "bytes 127-129/137"),
        ("bytes=130-", 206, "3456789", "bytes 130-136/137"),
        ("bytes=-2", 206, "89", "bytes 135-136/137"),
        ("bytes=136-9999", 206, "9", "bytes 136-136/137"),
        ("bytes=137-", 416, "", "bytes */137"),
        ("bytes=127-128,130-131", 416, "", "bytes */137"),
        ("bytes=5-2", 416, "", "bytes */137"),
        ("bytes=-0", 416, "", "bytes */137"),
        ("bytes=99999999999999999999-", 416, "", "bytes */137"),
        ("bytes=../../etc/passwd", 416, "", "bytes */137"),
    ] {
        let reply = part(&visitor, range).await;
        assert_eq!(reply.status.as_u16(), status, "{range}");
        assert_eq!(reply.text, text, "{range}");
        assert_eq!(reply.header("content-range"), place, "{range}");
        assert_eq!(reply.header("content-length"), text.len().to_string());
    }
    let many = vec!["0-0"; 1_000].join(",");
    assert_eq!(part(&visitor, &format!("bytes={many}")).await.status, 416);
    assert_eq!(part(&visitor, "lines=1-2").await.status, 200);
}

#[tokio::test]
async fn the_whole_file_is_sent_as_it_is_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let tiles = "a".repeat(10_000);
    let app = site_with(&tiles, folder.path()).await;
    let visitor = app.visitor().with_header("accept-encoding", "br, gzip");
    let whole = visitor.get(ADDRESS).await;
    assert_eq!(whole.status, 200);
    assert!(whole.text.ends_with(&tiles));
    assert_eq!(whole.header("content-length"), "10127");
    assert_eq!(whole.header("content-encoding"), "");
    assert_eq!(whole.header("accept-ranges"), "bytes");
    assert_eq!(whole.header("content-type"), "application/vnd.pmtiles");
    assert_eq!(whole.header("x-content-type-options"), "nosniff");
    assert_eq!(whole.header("cache-control"), "public, max-age=86400");
    let tag = whole.header("etag").to_owned();
    assert!(tag.starts_with('"'), "a strong tag: {tag}");
    assert_eq!(
        part(&visitor, "bytes=0-9999")
            .await
            .header("content-encoding"),
        ""
    );

    let head = visitor.clone().with_header("range", "bytes=0-9");
    let head = head.send(Method::HEAD, ADDRESS, None).await;
    assert_eq!((head.status.as_u16(), head.text.as_str()), (200, ""));
    assert_eq!(head.header("content-length"), "10127");
    assert_eq!(head.header("etag"), tag);

    let known = visitor.clone().with_header("if-none-match", &tag);
    assert_eq!(part(&known, "bytes=0-9").await.status, 304);
    assert_eq!(visitor.post(ADDRESS).await.status, 405);
}

#[tokio::test]
async fn a_part_is_bounded_and_says_what_it_holds() {
    const BOUND: usize = 8 * 1_024 * 1_024;
    let folder = tempfile::tempdir().unwrap();
    let app = site_with(&"x".repeat(BOUND + 1_000), folder.path()).await;
    let reply = part(&app.visitor(), "bytes=127-").await;
    assert_eq!((reply.status.as_u16(), reply.text.len()), (206, BOUND));
    let end = HEADER_BYTES + BOUND - 1;
    let size = HEADER_BYTES + BOUND + 1_000;
    assert_eq!(
        reply.header("content-range"),
        format!("bytes 127-{end}/{size}")
    );
}

#[tokio::test]
async fn parts_of_two_files_are_never_mixed() {
    let folder = tempfile::tempdir().unwrap();
    let app = site_with("old tiles", folder.path()).await;
    let visitor = app.visitor();
    let old = part(&visitor, "bytes=127-129").await;
    let tag = old.header("etag").to_owned();
    let same = visitor.clone().with_header("if-range", &tag);
    assert_eq!(part(&same, "bytes=131-").await.text, "tiles");

    // As `mv` does it.
    let next = folder.path().join("next");
    std::fs::write(&next, archive("new and longer tiles")).unwrap();
    std::fs::rename(&next, folder.path().join("city.pmtiles")).unwrap();
    let whole = part(&same, "bytes=131-").await;
    assert_eq!(whole.status, 200, "the condition no longer holds");
    assert!(whole.text.ends_with("new and longer tiles"));
    assert_ne!(part(&visitor, "bytes=127-129").await.header("etag"), tag);
}

#[tokio::test]
async fn a_file_that_goes_away_is_missing_until_it_is_back() {
    let folder = tempfile::tempdir().unwrap();
    let app = site_with("tiles", folder.path()).await;
    let file = folder.path().join("city.pmtiles");
    std::fs::remove_file(&file).unwrap();
    let missing = part(&app.visitor(), "bytes=0-9").await;
    assert_eq!(missing.status, 404);
    assert!(!missing.header("cache-control").contains("max-age"));
    assert!(!missing.text.contains("city"), "{}", missing.text);
    std::fs::write(&file, archive("again")).unwrap();
    assert_eq!(part(&app.visitor(), "bytes=127-").await.text, "again");
}

#[tokio::test]
async fn no_path_of_a_request_leads_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let app = site_with("tiles", folder.path()).await;
    std::fs::write(folder.path().join("other.pmtiles"), "secret").unwrap();
    for path in [
        "/tiles/other.pmtiles",
        "/tiles/../tiles/other.pmtiles",
        "/tiles/%2e%2e/other.pmtiles",
        "/tiles/map.pmtiles/other.pmtiles",
        "/tiles/map%2epmtiles.x",
    ] {
        let reply = app.visitor().get(path).await;
        assert_eq!(reply.status, 404, "{path}");
    }
}

#[tokio::test]
async fn the_site_says_whether_it_has_streets() {
    let without = TestApp::builder().without_workers().spawn().await;
    let site = without.visitor().get("/api/site").await.data();
    assert!(site.get("map").is_none(), "{site}");
    assert_eq!(without.visitor().get(ADDRESS).await.status, 404);

    let folder = tempfile::tempdir().unwrap();
    let app = site_with("tiles", folder.path()).await;
    let expected = json!({
        "attribution": "© OpenStreetMap",
        "datum": "wgs84",
        "bounds": { "west": 119.9, "south": 30.0, "east": 120.4, "north": 30.4 },
    });
    let site = app.visitor().get("/api/site").await.data();
    assert_eq!(site["map"], expected);
}

#[test]
fn a_wrong_file_is_refused_at_the_start_with_what_to_do() {
    let home = Home::new();
    let file = home.folder.path().join("city.pmtiles");
    let named = file.display().to_string();
    let refused = || {
        let env = [("TANDIAN_MAP__TILES_FILE", named.as_str())];
        only_line(&home.run(&["serve", "--demo"], &env))
    };
    let line = refused();
    assert!(line.contains("map.tiles_file"), "{line}");
    assert!(line.contains("name a .pmtiles file"), "{line}");
    std::fs::write(&file, "PK\x03\x04 a zip archive").unwrap();
    let line = refused();
    assert!(line.contains("is no PMTiles archive"), "{line}");
    assert!(line.contains("pmtiles extract"), "{line}");
    assert!(
        !home.folder.path().join("data").exists(),
        "nothing was begun"
    );
}
