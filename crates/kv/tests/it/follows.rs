//! Sets of followees: known or not, and never older than the last change.

use domain::UserId;
use kv::Kv;

use crate::both;

const ME: UserId = UserId::new(7);
const FRIEND: UserId = UserId::new(8);

fn people(ids: &[i64]) -> Vec<UserId> {
    ids.iter().copied().map(UserId::new).collect()
}

async fn load(kv: &Kv, user: UserId, load: u64, ids: &[i64]) -> bool {
    kv.begin_follows(user, load).await.unwrap();
    let published = kv.publish_follows(user, load, &people(ids)).await;
    published.unwrap()
}

async fn followees(kv: &Kv) -> Option<Vec<UserId>> {
    let mut found = kv.list_followees(ME).await.unwrap()?;
    found.sort_unstable();
    Some(found)
}

#[tokio::test]
async fn not_loaded_and_nobody_are_told_apart() {
    for kv in both().await {
        assert_eq!(followees(&kv).await, None);
        assert_eq!(kv.followed_among(ME, &[FRIEND]).await.unwrap(), None);
        assert_eq!(kv.count_followees([ME, FRIEND]).await.unwrap(), [None; 2]);
        assert!(load(&kv, ME, 1, &[]).await);
        assert_eq!(followees(&kv).await, Some(Vec::new()));
        let among = kv.followed_among(ME, &[FRIEND]).await.unwrap();
        assert_eq!(among, Some(Vec::new()));
        let counts = kv.count_followees([ME, FRIEND]).await.unwrap();
        assert_eq!(counts, [Some(0), None]);
    }
}

#[tokio::test]
async fn a_loaded_set_answers_in_the_order_asked() {
    for kv in both().await {
        assert!(load(&kv, ME, 1, &[9, 3, 12]).await);
        assert_eq!(followees(&kv).await, Some(people(&[3, 9, 12])));
        let among = kv.followed_among(ME, &people(&[12, 4, 3])).await.unwrap();
        assert_eq!(among, Some(people(&[12, 3])));
    }
}

#[tokio::test]
async fn a_load_that_a_change_overtook_is_void() {
    for kv in both().await {
        kv.begin_follows(ME, 1).await.unwrap();
        kv.forget_follows(&[ME, FRIEND]).await.unwrap();
        let late = kv.publish_follows(ME, 1, &people(&[3])).await.unwrap();
        assert!(!late);
        assert_eq!(followees(&kv).await, None);
        kv.begin_follows(ME, 2).await.unwrap();
        assert!(load(&kv, ME, 3, &[4]).await);
        let beaten = kv.publish_follows(ME, 2, &people(&[3])).await.unwrap();
        assert!(!beaten);
        assert_eq!(followees(&kv).await, Some(people(&[4])));
    }
}
