//! The private Redis as the settings want it. What it does by itself is tested in its crate.

use std::path::Path;

use server::data_dir::DataDir;
use server::data_directory_access::DataDirectoryAccess;
use server::settings::{AppendFsync, Settings};
use tempfile::TempDir;

#[track_caller]
fn settings(folder: &Path) -> Settings {
    let mut settings = Settings::load(None, std::iter::empty()).expect("the defaults are valid");
    settings.data_dir = folder.to_owned();
    settings
}

fn config(directory: &DataDirectoryAccess, key: &str) -> String {
    let client = redis::Client::open(directory.redis_url().expose()).unwrap();
    let mut connection = client.get_connection().unwrap();
    let mut get = redis::cmd("CONFIG");
    let (_, value): (String, String) = get.arg(&["GET", key]).query(&mut connection).unwrap();
    value
}

#[tokio::test]
async fn by_default_every_write_is_synced_and_closing_frees_the_folder() {
    let home = TempDir::new().unwrap();
    let settings = settings(home.path());
    let directory = DataDirectoryAccess::for_server(&settings).await.unwrap();
    assert_eq!(config(&directory, "appendfsync"), "always");
    let data = DataDir::open(home.path()).unwrap();
    data.lock()
        .expect_err("a running server holds its data directory");
    directory.close().await;
    data.lock().unwrap();
}

#[tokio::test]
async fn the_settings_reach_the_server() {
    let home = TempDir::new().unwrap();
    let mut settings = settings(home.path());
    settings.redis.appendfsync = AppendFsync::Everysec;
    settings.redis.max_memory_mib = 8;
    let directory = DataDirectoryAccess::for_server(&settings).await.unwrap();
    assert_eq!(config(&directory, "appendfsync"), "everysec");
    assert_eq!(config(&directory, "maxmemory"), (8 << 20).to_string());
    directory.close().await;
}

#[tokio::test]
async fn the_program_of_the_settings_is_used() {
    let home = TempDir::new().unwrap();
    let mut settings = settings(home.path());
    settings.redis.server = "true".to_owned();
    let error = DataDirectoryAccess::for_server(&settings).await;
    let error = error.unwrap_err().to_string();
    assert!(error.contains("true is not a redis-server"), "{error}");
}
