//! Stores picture files in a folder, or in a bucket of any S3-compatible store.
//!
//! Writes are atomic and durable: in a folder, [`PictureFileStore::put`] writes a temporary file, flushes it, renames it
//! and flushes the folder; S3 guarantees the same. Names are never reused, so no file is ever overwritten.

use std::path::Path as FilePath;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    Attribute, Attributes, BackoffConfig, ClientOptions, Error, ObjectStore, ObjectStoreExt as _,
    PutOptions, RetryConfig,
};
use secrecy::{ExposeSecret as _, SecretString};
use thiserror::Error;

use crate::{PictureName, ReencodedPicture, Size};

/// A file is at most about a megabyte; a store that needs longer for it is down.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Retries cover a short failure; while the store is down, requests must fail soon.
const MAX_RETRIES: usize = 2;
const RETRY_TIMEOUT: Duration = Duration::from_secs(5);

/// Both sizes are JPEG.
const CONTENT_TYPE: &str = "image/jpeg";

#[derive(Clone, Debug)]
pub struct PictureFileStore {
    store: Arc<dyn ObjectStore>,
    is_bucket: bool,
}

/// A bucket and its credentials.
#[derive(Clone)]
pub struct S3Bucket {
    /// Such as `https://s3.example.com`; requests carry the bucket in their path.
    pub endpoint: String,
    pub region: String,
    pub name: String,
    pub access_key: String,
    pub secret_key: SecretString,
}

/// A file found in the store, streamed to the caller.
pub struct StoredFile {
    pub length_bytes: u64,
    pub content: BoxStream<'static, Result<Bytes, FileStoreError>>,
}

#[derive(Debug, Error)]
#[error("cannot {operation}")]
pub struct FileStoreError {
    operation: &'static str,
    source: object_store::Error,
}

impl PictureFileStore {
    /// Opens an existing folder of this machine.
    pub fn in_folder(folder: &FilePath) -> Result<Self, FileStoreError> {
        let store = LocalFileSystem::new_with_prefix(folder)
            .map_err(during("open the folder of pictures"))?;
        Ok(Self {
            store: Arc::new(store.with_fsync(true)),
            is_bucket: false,
        })
    }

    pub fn in_bucket(bucket: &S3Bucket) -> Result<Self, FileStoreError> {
        let store = AmazonS3Builder::new()
            .with_endpoint(&bucket.endpoint)
            .with_region(&bucket.region)
            .with_bucket_name(&bucket.name)
            .with_access_key_id(&bucket.access_key)
            .with_secret_access_key(bucket.secret_key.expose_secret())
            .with_virtual_hosted_style_request(false)
            // Only Amazon supports bulk deletes reliably.
            .with_disable_bulk_delete(true)
            .with_client_options(client_options(&bucket.endpoint))
            .with_retry(retries())
            .build()
            .map_err(during("open the bucket of pictures"))?;
        Ok(Self {
            store: Arc::new(store),
            is_bucket: true,
        })
    }

    /// Whether files are in a bucket rather than in a folder of this machine.
    pub fn is_bucket(&self) -> bool {
        self.is_bucket
    }

    /// Stores both sizes; the full size last, because its presence means that the picture is complete.
    pub async fn put(
        &self,
        name: &PictureName,
        picture: ReencodedPicture,
    ) -> Result<(), FileStoreError> {
        self.put_file(&name.path(Size::Small), picture.small)
            .await?;
        self.put_file(&name.path(Size::Full), picture.full).await
    }

    /// Deletes both sizes. Idempotent.
    pub async fn delete(&self, name: &PictureName) -> Result<(), FileStoreError> {
        for size in [Size::Full, Size::Small] {
            match self.store.delete(&name.path(size)).await {
                Ok(()) | Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(during("delete a picture")(error)),
            }
        }
        Ok(())
    }

    pub async fn find(
        &self,
        name: &PictureName,
        size: Size,
    ) -> Result<Option<StoredFile>, FileStoreError> {
        let found = match self.store.get(&name.path(size)).await {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(during("read a picture")(error)),
        };
        let length_bytes = found.meta.size;
        let content = found.into_stream().map_err(during("read a picture"));
        Ok(Some(StoredFile {
            length_bytes,
            content: content.boxed(),
        }))
    }

    async fn put_file(&self, path: &Path, file: Bytes) -> Result<(), FileStoreError> {
        let options = PutOptions {
            attributes: self.attributes(),
            ..PutOptions::default()
        };
        let put = self.store.put_opts(path, file.into(), options);
        put.await.map_err(during("store a picture"))?;
        Ok(())
    }

    /// Files have no attributes; a bucket may be served directly, for instance by a CDN.
    fn attributes(&self) -> Attributes {
        match self.is_bucket {
            true => Attributes::from_iter([(Attribute::ContentType, CONTENT_TYPE)]),
            false => Attributes::new(),
        }
    }
}

fn client_options(endpoint: &str) -> ClientOptions {
    ClientOptions::new()
        .with_timeout(REQUEST_TIMEOUT)
        .with_connect_timeout(CONNECT_TIMEOUT)
        .with_allow_http(endpoint.starts_with("http://"))
}

fn retries() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig::default(),
        max_retries: MAX_RETRIES,
        retry_timeout: RETRY_TIMEOUT,
    }
}

fn during(operation: &'static str) -> impl Fn(object_store::Error) -> FileStoreError {
    move |source| FileStoreError { operation, source }
}

impl std::fmt::Debug for S3Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("S3Bucket")
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for StoredFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredFile")
            .field("length_bytes", &self.length_bytes)
            .finish_non_exhaustive()
    }
}
