//! One suite for a folder and for a bucket.

use std::time::Duration;

use bytes::Bytes;
use futures_util::TryStreamExt as _;
use pictures::{PictureFileStore, PictureName, ReencodedPicture, S3Bucket, Size};
use testkit::LocalS3;

/// A real store to run the bucket tests on: `endpoint,bucket,access key,secret key`.
const REAL_STORE: &str = "TANDIAN_TEST_S3";

fn reencoded() -> ReencodedPicture {
    ReencodedPicture {
        full: Bytes::from_static(b"the full file"),
        small: Bytes::from_static(b"the small file"),
    }
}

async fn content(store: &PictureFileStore, name: &PictureName, size: Size) -> Option<Vec<u8>> {
    let found = store.find(name, size).await.unwrap()?;
    let chunks: Vec<Bytes> = found.content.try_collect().await.unwrap();
    let content = chunks.concat();
    assert_eq!(content.len() as u64, found.length_bytes);
    Some(content)
}

async fn assert_stores_and_deletes(store: &PictureFileStore) {
    let (name, other) = (PictureName::generate(), PictureName::generate());
    assert_eq!(content(store, &name, Size::Full).await, None);
    store.put(&name, reencoded()).await.unwrap();
    store.put(&other, reencoded()).await.unwrap();
    let full = content(store, &name, Size::Full).await;
    assert_eq!(full.unwrap(), b"the full file");
    let small = content(store, &name, Size::Small).await;
    assert_eq!(small.unwrap(), b"the small file");
    for _ in 0..2 {
        store.delete(&name).await.unwrap();
        assert_eq!(content(store, &name, Size::Full).await, None);
        assert_eq!(content(store, &name, Size::Small).await, None);
    }
    assert!(content(store, &other, Size::Full).await.is_some());
}

#[tokio::test]
async fn a_folder_stores_and_deletes_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let store = PictureFileStore::in_folder(folder.path()).unwrap();
    assert_stores_and_deletes(&store).await;
}

#[tokio::test]
async fn a_bucket_stores_and_deletes_pictures() {
    install_tls();
    let (_server, bucket) = match std::env::var(REAL_STORE) {
        Ok(given) => (None, real_bucket(&given)),
        Err(_) => {
            let server = LocalS3::start().await;
            let bucket = bucket_of(&server);
            (Some(server), bucket)
        }
    };
    assert_stores_and_deletes(&PictureFileStore::in_bucket(&bucket).unwrap()).await;
}

#[tokio::test]
async fn a_wrong_key_is_an_error_and_not_an_empty_bucket() {
    install_tls();
    let server = LocalS3::start().await;
    let bucket = S3Bucket {
        secret_key: "another key".into(),
        ..bucket_of(&server)
    };
    let store = PictureFileStore::in_bucket(&bucket).unwrap();
    let name = PictureName::generate();
    assert!(store.put(&name, reencoded()).await.is_err());
    assert!(store.find(&name, Size::Full).await.is_err());
    assert!(store.delete(&name).await.is_err());
}

#[tokio::test]
async fn a_bucket_that_refuses_requests_loses_no_file() {
    install_tls();
    let server = LocalS3::start().await;
    let store = PictureFileStore::in_bucket(&bucket_of(&server)).unwrap();
    let name = PictureName::generate();
    store.put(&name, reencoded()).await.unwrap();
    server.refuse_everybody();
    assert!(store.delete(&name).await.is_err());
    server.serve_again();
    assert!(content(&store, &name, Size::Full).await.is_some());
}

#[tokio::test]
async fn an_unreachable_bucket_fails_soon() {
    install_tls();
    let bucket = S3Bucket {
        endpoint: "http://127.0.0.1:1".to_owned(),
        ..bucket_of(&LocalS3::start().await)
    };
    let store = PictureFileStore::in_bucket(&bucket).unwrap();
    let name = PictureName::generate();
    let kept = tokio::time::timeout(Duration::from_secs(20), store.put(&name, reencoded())).await;
    assert!(kept.expect("it ends soon").is_err());
}

#[test]
fn a_key_is_in_no_log() {
    let bucket = real_bucket("http://h,bucket,name,hunter2");
    assert!(!format!("{bucket:?}").contains("hunter2"));
}

fn bucket_of(server: &LocalS3) -> S3Bucket {
    S3Bucket {
        endpoint: server.endpoint().to_owned(),
        region: LocalS3::REGION.to_owned(),
        name: LocalS3::BUCKET.to_owned(),
        access_key: LocalS3::ACCESS_KEY.to_owned(),
        secret_key: LocalS3::SECRET_KEY.into(),
    }
}

fn real_bucket(given: &str) -> S3Bucket {
    let parts: Vec<&str> = given.split(',').collect();
    let [endpoint, name, access_key, secret_key] = parts[..] else {
        panic!("{REAL_STORE} has four parts");
    };
    S3Bucket {
        endpoint: endpoint.to_owned(),
        region: "us-east-1".to_owned(),
        name: name.to_owned(),
        access_key: access_key.to_owned(),
        secret_key: secret_key.into(),
    }
}

/// A second call finds it installed.
fn install_tls() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}
