//! The same claims for a folder and for a bucket.

use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use pictures::{Bucket, PictureName, Prints, Shelf, Size};

use crate::local_s3::LocalS3;

/// A real store to run the claims of buckets on: `endpoint,bucket,access key,secret key`.
const REAL_STORE: &str = "TANDIAN_TEST_S3";

fn prints() -> Prints {
    Prints {
        full: Bytes::from_static(b"the full print"),
        small: Bytes::from_static(b"the small print"),
    }
}

async fn content(shelf: &Shelf, name: &PictureName, size: Size) -> Option<Vec<u8>> {
    let found = shelf.find(name, size).await.unwrap()?;
    let chunks: Vec<Bytes> = found.content.try_collect().await.unwrap();
    let content = chunks.concat();
    assert_eq!(content.len() as u64, found.length_bytes);
    Some(content)
}

async fn assert_keeps_and_discards(shelf: &Shelf) {
    let (name, other) = (PictureName::generate(), PictureName::generate());
    assert_eq!(content(shelf, &name, Size::Full).await, None);
    shelf.keep(&name, prints()).await.unwrap();
    shelf.keep(&other, prints()).await.unwrap();
    let full = content(shelf, &name, Size::Full).await;
    assert_eq!(full.unwrap(), b"the full print");
    let small = content(shelf, &name, Size::Small).await;
    assert_eq!(small.unwrap(), b"the small print");
    for _ in 0..2 {
        shelf.discard(&name).await.unwrap();
        assert_eq!(content(shelf, &name, Size::Full).await, None);
        assert_eq!(content(shelf, &name, Size::Small).await, None);
    }
    assert!(content(shelf, &other, Size::Full).await.is_some());
}

#[tokio::test]
async fn a_folder_keeps_and_discards_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let shelf = Shelf::in_folder(folder.path()).unwrap();
    assert_keeps_and_discards(&shelf).await;
}

#[tokio::test]
async fn a_bucket_keeps_and_discards_pictures() {
    install_tls();
    let (_server, bucket) = match std::env::var(REAL_STORE) {
        Ok(given) => (None, real_bucket(&given)),
        Err(_) => {
            let server = LocalS3::start().await;
            let bucket = server.bucket();
            (Some(server), bucket)
        }
    };
    assert_keeps_and_discards(&Shelf::in_bucket(&bucket).unwrap()).await;
}

#[tokio::test]
async fn a_bucket_that_does_not_know_the_key_is_an_error_and_not_an_empty_shelf() {
    install_tls();
    let server = LocalS3::start().await;
    let bucket = Bucket {
        secret_key: "another key".to_owned(),
        ..server.bucket()
    };
    let shelf = Shelf::in_bucket(&bucket).unwrap();
    let name = PictureName::generate();
    assert!(shelf.keep(&name, prints()).await.is_err());
    assert!(shelf.find(&name, Size::Full).await.is_err());
    assert!(shelf.discard(&name).await.is_err());
}

#[tokio::test]
async fn a_bucket_that_refuses_for_a_while_loses_nothing() {
    install_tls();
    let server = LocalS3::start().await;
    let shelf = Shelf::in_bucket(&server.bucket()).unwrap();
    let name = PictureName::generate();
    shelf.keep(&name, prints()).await.unwrap();
    server.refuse_everybody();
    assert!(shelf.discard(&name).await.is_err());
    server.serve_again();
    assert!(content(&shelf, &name, Size::Full).await.is_some());
}

#[tokio::test]
async fn a_bucket_that_is_away_is_an_error_soon() {
    install_tls();
    let bucket = Bucket {
        endpoint: "http://127.0.0.1:1".to_owned(),
        ..LocalS3::start().await.bucket()
    };
    let shelf = Shelf::in_bucket(&bucket).unwrap();
    let name = PictureName::generate();
    let kept = tokio::time::timeout(Duration::from_secs(20), shelf.keep(&name, prints())).await;
    assert!(kept.expect("it ends soon").is_err());
}

#[test]
fn a_key_is_in_no_log() {
    let bucket = real_bucket("http://h,bucket,name,hunter2");
    assert!(!format!("{bucket:?}").contains("hunter2"));
}

fn real_bucket(given: &str) -> Bucket {
    let parts: Vec<&str> = given.split(',').collect();
    let [endpoint, name, access_key, secret_key] = parts[..] else {
        panic!("{REAL_STORE} has four parts");
    };
    Bucket {
        endpoint: endpoint.to_owned(),
        region: "us-east-1".to_owned(),
        name: name.to_owned(),
        access_key: access_key.to_owned(),
        secret_key: secret_key.to_owned(),
    }
}

/// Whoever comes second finds it installed.
fn install_tls() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}
