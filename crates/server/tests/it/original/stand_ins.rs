//! Pictures that the original's pages name: ours stand in where no file is.

use testkit::TestApp;

#[tokio::test]
async fn static_pictures_are_there_on_both_listeners_until_the_real_ones_are() {
    let app = TestApp::spawn().await;
    for base in [app.url(), app.original_url()] {
        let browser = app.visitor().at(base);
        for path in [
            "/imgs/icons/default-icon.png",
            "/imgs/add.png",
            "/imgs/bd.png",
            "/imgs/thumbup.png",
            "/imgs//types/ms.png",
            "/imgs/types/KTV.png",
            "/imgs/icons/kkjtbcr.jpg",
            "/imgs/blogs/blog1.jpg",
            "/imgs/blogs/7/14/4771fefb-1a87-4252-816c-9f7ec41ffa4a.jpg",
        ] {
            let picture = browser.get(path).await;
            assert_eq!(picture.status, 200, "{path}");
            assert_eq!(picture.header("content-type"), "image/png", "{path}");
            assert_eq!(picture.header("cache-control"), "public, max-age=60");
            let tag = picture.header("etag").to_owned();
            let again = browser.clone().with_header("if-none-match", &tag);
            assert_eq!(again.get(path).await.status, 304, "{path}");
        }
        for path in [
            "/imgs/other.png",
            "/imgs/blogs/1/1/67e55044-10b1-426f-9247-bb680e5fe0c8.jpg",
        ] {
            assert_eq!(browser.get(path).await.status, 404, "{path}");
        }
    }
    let folder = app.data_dir().join("imgs/icons");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("default-icon.png"), b"the real one").unwrap();
    let real = app.visitor().get("/imgs/icons/default-icon.png").await;
    assert_eq!(real.text, "the real one");
}
