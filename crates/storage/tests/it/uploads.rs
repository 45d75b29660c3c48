//! Pictures in SQL: whose they are, what uses them, and how they go.

use domain::ProfileChange;
use jiff::{SignedDuration, Timestamp};
use storage::shops::{self, Principal, ShopChange};
use storage::uploads::{self, RemoveRefusal};
use storage::users;

use crate::support::{TestDb, create_shop, on_both, person};

const NAME: &str = "/blogs/3/9/one.jpg";
const NEXT: &str = "/blogs/3/9/two.jpg";

async fn orphans(test: &TestDb, older_than: Timestamp) -> Vec<String> {
    let listed = uploads::list_orphans(&test.db, older_than, 10).await;
    listed.unwrap()
}

fn later() -> Timestamp {
    Timestamp::now() + SignedDuration::from_hours(1)
}

#[tokio::test]
async fn what_is_gone_is_nobodys_until_it_is_forgotten() {
    on_both(async |test| {
        let user = person(&test, 1).await;
        uploads::record(&test.db, user, NAME).await.unwrap();
        let remove = async || uploads::remove(&test.db, user, NAME).await.unwrap();
        assert_eq!(uploads::count_of(&test.db, user).await.unwrap(), 1);
        uploads::delete_row(&test.db, NAME).await.unwrap();
        assert_eq!(uploads::count_of(&test.db, user).await.unwrap(), 1);
        assert_eq!(remove().await, Ok(()));
        assert_eq!(remove().await, Err(RemoveRefusal::NoSuchPicture));
        assert_eq!(uploads::count_of(&test.db, user).await.unwrap(), 0);
        assert_eq!(orphans(&test, Timestamp::UNIX_EPOCH).await, [NAME]);
        assert!(uploads::remove_orphan(&test.db, NAME).await.unwrap());
        uploads::delete_row(&test.db, NAME).await.unwrap();
        assert_eq!(test.count("tb_upload").await, 0);
        assert!(!uploads::remove_orphan(&test.db, NAME).await.unwrap());
    })
    .await;
}

#[tokio::test]
async fn an_orphan_is_old_and_unused() {
    on_both(async |test| {
        let user = person(&test, 1).await;
        for name in [NAME, NEXT] {
            uploads::record(&test.db, user, name).await.unwrap();
        }
        let hour_ago = Timestamp::now() - SignedDuration::from_hours(1);
        assert!(orphans(&test, hour_ago).await.is_empty());
        assert_eq!(orphans(&test, later()).await, [NAME, NEXT]);
        show(&test, user, &format!("/imgs{NAME}")).await;
        assert_eq!(orphans(&test, later()).await, [NEXT]);
        assert!(!uploads::remove_orphan(&test.db, NAME).await.unwrap());
    })
    .await;
}

async fn show(test: &TestDb, user: domain::UserId, icon: &str) {
    let change = ProfileChange {
        icon: Some(icon.to_owned()),
        ..ProfileChange::default()
    };
    users::update_profile(&test.db, user, &change)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_person_holds_the_picture_that_is_shown_of_them() {
    on_both(async |test| {
        let user = person(&test, 1).await;
        for name in [NAME, NEXT] {
            uploads::record(&test.db, user, name).await.unwrap();
        }
        let remove = async |name| uploads::remove(&test.db, user, name).await.unwrap();
        show(&test, user, &format!("/imgs{NAME}")).await;
        show(&test, user, &format!("/imgs{NAME}")).await;
        assert_eq!(remove(NAME).await, Err(RemoveRefusal::InUse));
        show(&test, user, &format!("/imgs{NEXT}")).await;
        assert_eq!(remove(NAME).await, Ok(()));
        assert_eq!(remove(NEXT).await, Err(RemoveRefusal::InUse));
    })
    .await;
}

#[tokio::test]
async fn a_shop_holds_the_pictures_it_shows() {
    on_both(async |test| {
        let user = person(&test, 1).await;
        let shop = create_shop(&test.db, "茶餐厅").await;
        for name in [NAME, NEXT] {
            uploads::record(&test.db, user, name).await.unwrap();
        }
        let remove = async |name| uploads::remove(&test.db, user, name).await.unwrap();
        let show = async |images: String| {
            let change = ShopChange {
                images: Some(images),
                ..ShopChange::default()
            };
            let updated = shops::update(&test.db, Principal::Admin, shop.id, &change).await;
            updated.unwrap().unwrap();
        };
        show(format!("/imgs/demo/one.jpg,/imgs{NAME},/imgs{NEXT}")).await;
        assert_eq!(remove(NAME).await, Err(RemoveRefusal::InUse));
        assert_eq!(remove(NEXT).await, Err(RemoveRefusal::InUse));
        show(format!("/imgs{NEXT}")).await;
        assert_eq!(remove(NAME).await, Ok(()));
        assert_eq!(remove(NEXT).await, Err(RemoveRefusal::InUse));
    })
    .await;
}
