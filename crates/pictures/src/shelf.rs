//! Where prints are kept: a folder, or a bucket of any store that speaks S3.
//!
//! A print is there whole or not at all, and after [`Shelf::keep`] it outlives a loss of power: in a folder it is written
//! under another name, flushed, renamed, and the folder is flushed too; a bucket promises the same of itself. Names are
//! never used twice, so nothing is ever overwritten.

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
use thiserror::Error;

use crate::{PictureName, Prints, Size};

/// A print is at most a megabyte or so; a store that needs longer for it is down.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// A store that stumbles gets a second chance; one that is down must not hold people up.
const MAX_RETRIES: usize = 2;
const RETRY_TIMEOUT: Duration = Duration::from_secs(5);

/// What both prints are.
const CONTENT_TYPE: &str = "image/jpeg";

#[derive(Clone, Debug)]
pub struct Shelf {
    store: Arc<dyn ObjectStore>,
    is_bucket: bool,
}

/// A bucket, and the key to it.
#[derive(Clone)]
pub struct Bucket {
    /// Such as `https://s3.example.com`; requests name the bucket in their path.
    pub endpoint: String,
    pub region: String,
    pub name: String,
    pub access_key: String,
    pub secret_key: String,
}

/// A picture file on its way to the caller.
pub struct Found {
    pub length_bytes: u64,
    pub content: BoxStream<'static, Result<Bytes, ShelfError>>,
}

#[derive(Debug, Error)]
#[error("cannot {operation}")]
pub struct ShelfError {
    operation: &'static str,
    source: object_store::Error,
}

impl Shelf {
    /// In a folder of this machine, which must be there.
    pub fn in_folder(folder: &FilePath) -> Result<Self, ShelfError> {
        let store = LocalFileSystem::new_with_prefix(folder)
            .map_err(during("open the folder of pictures"))?;
        Ok(Self {
            store: Arc::new(store.with_fsync(true)),
            is_bucket: false,
        })
    }

    pub fn in_bucket(bucket: &Bucket) -> Result<Self, ShelfError> {
        let store = AmazonS3Builder::new()
            .with_endpoint(&bucket.endpoint)
            .with_region(&bucket.region)
            .with_bucket_name(&bucket.name)
            .with_access_key_id(&bucket.access_key)
            .with_secret_access_key(&bucket.secret_key)
            .with_virtual_hosted_style_request(false)
            // Amazon's own extension, which others do not all have.
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

    /// Whether prints lie in a bucket rather than in files of this machine.
    pub fn is_bucket(&self) -> bool {
        self.is_bucket
    }

    /// Keeps both prints; the full one last, because it is the one that stands for the picture.
    pub async fn keep(&self, name: &PictureName, prints: Prints) -> Result<(), ShelfError> {
        self.put(&name.path(Size::Small), prints.small).await?;
        self.put(&name.path(Size::Full), prints.full).await
    }

    /// Whether it had been kept makes no difference.
    pub async fn discard(&self, name: &PictureName) -> Result<(), ShelfError> {
        for size in [Size::Full, Size::Small] {
            match self.store.delete(&name.path(size)).await {
                Ok(()) | Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(during("discard a picture")(error)),
            }
        }
        Ok(())
    }

    pub async fn find(&self, name: &PictureName, size: Size) -> Result<Option<Found>, ShelfError> {
        let found = match self.store.get(&name.path(size)).await {
            Ok(found) => found,
            Err(Error::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(during("read a picture")(error)),
        };
        let length_bytes = found.meta.size;
        let content = found.into_stream().map_err(during("read a picture"));
        Ok(Some(Found {
            length_bytes,
            content: content.boxed(),
        }))
    }

    async fn put(&self, path: &Path, print: Bytes) -> Result<(), ShelfError> {
        let options = PutOptions {
            attributes: self.attributes(),
            ..PutOptions::default()
        };
        let put = self.store.put_opts(path, print.into(), options);
        put.await.map_err(during("keep a picture"))?;
        Ok(())
    }

    /// Files have no attributes; a bucket may be shown to people directly, by a network of caches for instance.
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

fn during(operation: &'static str) -> impl Fn(object_store::Error) -> ShelfError {
    move |source| ShelfError { operation, source }
}

impl std::fmt::Debug for Bucket {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Bucket")
            .field("endpoint", &self.endpoint)
            .field("region", &self.region)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Found {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Found")
            .field("length_bytes", &self.length_bytes)
            .finish_non_exhaustive()
    }
}
